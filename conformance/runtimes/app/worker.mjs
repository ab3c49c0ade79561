import { check } from './check.mjs'

export default {
  test() {
    console.log(check())
  }
}

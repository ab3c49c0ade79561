import { check } from './check.mjs'

console.log(check())

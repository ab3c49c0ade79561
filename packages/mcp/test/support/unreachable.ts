import { freePort } from '@burgee/testing/system/freePort'

/** Returns the address of an unreachable server: nothing listens on its port. */
export async function unreachable(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`
}

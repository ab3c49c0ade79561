import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ports that systems give out by themselves: from 32768 on Linux, from 49152 on others. */
const RANGE = [20_000, 32_000] as const

/**
 * Returns a port of 127.0.0.1 on which nothing listens. No other program that asks for any port, and no outgoing
 * connection, gets it before its use or between two uses.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...RANGE)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

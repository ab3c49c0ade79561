import { type AddressInfo, createServer } from 'node:net'

/** Returns the address of an unreachable server: nothing listens on its port, which was free a moment ago. */
export async function unreachable(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // A server on a port answers where it listens.
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

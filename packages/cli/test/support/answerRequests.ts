import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addCleanup } from '@burgee/testing/cleanup'
import { makeFolder } from './program.ts'

/** Starts a server that answers every request as a test says. Returns the environment of a command that calls it. */
export async function answerRequests(
  answer: (response: ServerResponse, request: IncomingMessage) => void
): Promise<Readonly<Record<string, string>>> {
  const server = createServer((request, response) => {
    request.resume()
    answer(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  addCleanup(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server on a port answers where it listens.
  const { port } = server.address() as AddressInfo
  return {
    BURGEE_URL: `http://127.0.0.1:${port}`,
    BURGEE_TOKEN: 'token',
    BURGEE_PROJECT: 'shop',
    BURGEE_ENVIRONMENT: 'production',
    BURGEE_CONFIG_DIR: await makeFolder()
  }
}

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addCleanup } from './context.ts'

/** What stands before a server, if there is one: it passes everything on, until a test has it answer itself. */
export interface MisbehavingServer {
  readonly url: string
  /** Where it passes things on to. */
  target: string
  /** What it does with requests for the API, and where there is no server with all of them; nothing passes them on. */
  misbehave: ((response: ServerResponse) => void) | undefined
  readonly close: () => void
}

/** Starts one on a port of its own. It is closed after the tests of this file. */
export async function startMisbehavingServer(): Promise<MisbehavingServer> {
  const server = createServer((incoming, response) => {
    const isMeant = wayward.target === '' || /^\/v\d\//.test(incoming.url ?? '')
    if (wayward.misbehave && isMeant) wayward.misbehave(response)
    else pass(incoming, response, wayward.target)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  addCleanup(close)
  // A server on a port answers where it listens.
  const { port } = server.address() as AddressInfo
  const wayward: MisbehavingServer = { url: `http://127.0.0.1:${port}`, target: '', misbehave: undefined, close }
  return wayward
}

function pass(incoming: IncomingMessage, response: ServerResponse, target: string): void {
  const { method = 'GET', url = '/', headers } = incoming
  const outgoing = request(new URL(url, target), { method, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  outgoing.on('error', () => response.destroy())
  incoming.pipe(outgoing)
}

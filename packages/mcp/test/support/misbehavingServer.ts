import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addCleanup } from './context.ts'

/** A proxy that forwards requests to a server, if there is one, until a test makes it misbehave. */
export interface MisbehavingServer {
  readonly url: string
  /** The address of the server; empty for none. */
  target: string
  /** Handles requests for the API or, without a server, all requests. If undefined, requests are forwarded. */
  misbehave: ((response: ServerResponse) => void) | undefined
  readonly close: () => void
}

/** Starts a proxy on a free port, and closes it after the tests of this file. */
export async function startMisbehavingServer(): Promise<MisbehavingServer> {
  const server = createServer((incoming, response) => {
    const misbehaves = proxy.target === '' || /^\/v\d\//.test(incoming.url ?? '')
    if (proxy.misbehave && misbehaves) proxy.misbehave(response)
    else forward(incoming, response, proxy.target)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  addCleanup(close)
  // A server on a port answers where it listens.
  const { port } = server.address() as AddressInfo
  const proxy: MisbehavingServer = { url: `http://127.0.0.1:${port}`, target: '', misbehave: undefined, close }
  return proxy
}

function forward(incoming: IncomingMessage, response: ServerResponse, target: string): void {
  const { method = 'GET', url = '/', headers } = incoming
  const outgoing = request(new URL(url, target), { method, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  outgoing.on('error', () => response.destroy())
  incoming.pipe(outgoing)
}

import { createServer, request } from 'node:http'
import { pipeline } from 'node:stream'

/**
 * The suite sends no token: the proxy adds one to its requests, and otherwise forwards them as they are, with Host and
 * Origin.
 */
export async function startProxy(target, token) {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    const { method } = incoming
    const onward = request(new URL(incoming.url, target), { method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers)
      outgoing.flushHeaders()
      pipeline(answer, outgoing, () => {})
    })
    onward.once('error', () => outgoing.destroy())
    outgoing.once('close', () => onward.destroy())
    pipeline(incoming, onward, () => {})
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}${new URL(target).pathname}`,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    }
  }
}

import { once } from 'node:events'
import { connect } from 'node:net'
import { parseOptions, startServer } from '../../packages/server/dist/index.js'
import { fill, routes } from '../http/routes.mjs'
import { temporaryDirectory } from '../lib/cleanUp.mjs'
import { caller, credentials } from '../lib/server.mjs'

const CALLS = 50

/** Counts fall until the code is optimized, and on a busy computer, timers of the server add to most of them. */
const ROUNDS = 15

/** Measures requests of the evaluation routes. */
export async function requests(count) {
  const directory = temporaryDirectory()
  const server = await startServer(
    parseOptions(['--store', `file:${directory}`, '--port', '0', '--log-level', 'error'], {
      BURGEE_ADMIN_CLIENT_ID: credentials.id,
      BURGEE_ADMIN_CLIENT_SECRET: credentials.secret
    })
  )
  const costs = {}
  const costOf = (send) =>
    count(
      async (calls) => {
        for (let call = 0; call < calls; call++) await send(call)
      },
      CALLS,
      ROUNDS
    )
  try {
    const sdkKey = await fill(await caller(server.url))
    for (const { name, prepare } of routes) {
      const { requests } = await prepare(server.url, sdkKey)
      const connection = await open(Number(new URL(server.url).port))
      costs[`server ${name}`] = await costOf((call) => connection.send(requests[call]))
      connection.close()
    }
    const connection = await open(Number(new URL(server.url).port))
    const request = batchOf(sdkKey)
    costs['server 100 events'] = await costOf(() => connection.send(request))
    connection.close()
  } finally {
    await server.close()
  }
  return costs
}

/** Returns a request with 100 events of a user. */
function batchOf(sdkKey) {
  const event = { type: 'variableEvaluated', target: 'flag-07', value: 1, featureVars: { feature: 'variation' } }
  const batch = [{ user: { user_id: 'ada', platform: 'web' }, events: Array(100).fill(event) }]
  const body = JSON.stringify({ batch })
  const headers = `host: localhost\r\nauthorization: ${sdkKey}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
  return `POST /v1/events/batch HTTP/1.1\r\n${headers}\r\n\r\n${body}`
}

/** Opens a connection that sends one request at a time. */
async function open(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const send = async (request) => {
    socket.write(request)
    for (let text = ''; ; ) {
      text += (await once(socket, 'data'))[0].toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (end !== -1 && text.length >= end + 4 + length) return
    }
  }
  return { send, close: () => socket.destroy() }
}

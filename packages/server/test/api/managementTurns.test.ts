import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { call, serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { keyOf } from '@burgee/testing/plan'
import { expect, it } from 'vitest'

const REQUESTS = 40

/** Starts a request whose body lacks its last byte, so that the server waits for it. */
async function startRequest(
  { url }: TestServer,
  path: string,
  authorization: string,
  start: string
): Promise<ClientRequest> {
  const headers = { authorization, 'content-type': 'application/json', expect: '100-continue' }
  const started = request(new URL(path, url), { method: 'POST', headers, agent: false })
  started.flushHeaders()
  await once(started, 'continue')
  started.write(start)
  return started
}

it('requests of the management API that arrive at the same time do not delay an evaluation until all are done', async () => {
  const server = await serve({})
  const token = await tokenOf(server)
  const started = await Promise.all(
    Array.from({ length: REQUESTS }, () => startRequest(server, '/v1/projects', token, '{'))
  )
  const evaluation = await startRequest(server, '/v1/variables', keyOf('server'), '{"user_id":"ada"')
  // Requests that arrive later are answered: those that started have passed authentication, and wait for their bodies.
  for (let count = 0; count < 5; count++) await call(server, 'getSession')
  const done: string[] = []
  const follow = async (one: ClientRequest, name: string): Promise<void> => {
    const [response] = await once(one, 'response')
    done.push(`${name} ${response.statusCode}`)
    response.resume()
    await once(response, 'end')
  }
  const all = [...started.map((one) => follow(one, 'management')), follow(evaluation, 'evaluation')]
  // Sent in one turn of the event loop, the bodies arrive in one turn.
  for (const one of [...started, evaluation]) one.end('}')
  await Promise.all(all)
  expect(done.filter((one) => one === 'management 400')).toHaveLength(REQUESTS)
  expect(done.indexOf('evaluation 200')).toBeLessThan(REQUESTS / 2)
  expect(done).toContain('evaluation 200')
})

import { expect, test } from 'vitest'
import { retryingFetch } from '../../src/run/http/retryingFetch.ts'

/** Sends a request whose tries have these outcomes, and returns what was reported about them. */
async function send(...outcomes: readonly (Error | Response)[]) {
  const notices: string[] = []
  const left = [...outcomes]
  const once = async () => {
    const outcome = left.shift()
    if (outcome instanceof Response) return outcome
    throw outcome
  }
  const sent = retryingFetch(once, { random: () => 0, onRetry: (line) => notices.push(line) })('http://127.0.0.1:8080')
  const result = await sent.catch((error: Error) => error.name)
  return { result: result instanceof Response ? result.status : result, tries: outcomes.length - left.length, notices }
}

test('a server that does not answer in time is not asked again, and nothing else is announced', async () => {
  const late = new DOMException('no response within 30 s', 'TimeoutError')
  expect(await send(late, Response.json({}))).toEqual({ result: 'TimeoutError', tries: 1, notices: [] })
})

test('each announced try is made', async () => {
  const refused = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:8080') })
  const { result, tries, notices } = await send(refused, new Response(null, { status: 503 }), Response.json({}))
  expect([result, tries, notices.length]).toEqual([200, 3, 2])
})

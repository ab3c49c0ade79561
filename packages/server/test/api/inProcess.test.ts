import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { createInProcessFetch } from '../../src/api/http/inProcessFetch.ts'

/** A server that returns the request. */
const echo: RequestListener = ({ method, url, headers, headersDistinct }, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'], count: 3 })
  response.end(
    JSON.stringify({ method, url, type: headers['content-type'], distinct: headersDistinct['content-type'] })
  )
}

function address(path: string): string {
  return `http://this.server.invalid${path}`
}

test('the in-process fetch sends the request as given, and returns the response', async () => {
  const headers = { 'content-type': 'application/json' }
  const answer = await createInProcessFetch(() => echo)(address('/a%2Fb?c=%20d'), {
    method: 'PATCH',
    headers,
    body: '{}'
  })
  expect(await answer.json()).toEqual({
    method: 'PATCH',
    url: '/a%2Fb?c=%20d',
    type: 'application/json',
    distinct: ['application/json']
  })
  expect([answer.status, answer.headers.get('count'), answer.headers.getSetCookie()]).toEqual([
    200,
    '3',
    ['a=1', 'b=2']
  ])
})

test.each([
  ['of nothing', ''],
  ['of text', '{"name":"naïve ✓"}'],
  ['that is large', 'x'.repeat(1_000_000)]
])('the in-process fetch passes on a body %s', async (_, body) => {
  const repeat: RequestListener = (request, response) => void request.pipe(response)
  const answer = await createInProcessFetch(() => repeat)(address('/'), { method: 'POST', body })
  expect(await answer.text()).toBe(body)
})

test.each([204, 304])('the in-process fetch returns %i without a body', async (status) => {
  const empty: RequestListener = (_, response) => void response.writeHead(status).end()
  const answer = await createInProcessFetch(() => empty)(address('/'))
  expect([answer.status, answer.body]).toEqual([status, null])
})

test('the in-process fetch rejects as soon as its signal aborts, before and during the request', async () => {
  let asked = 0
  const silent: RequestListener = () => void asked++
  const given = new AbortController()
  const waiting = createInProcessFetch(() => silent)(address('/'), { signal: given.signal })
  await expect.poll(() => asked).toBe(1)
  given.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await expect(createInProcessFetch(() => silent)(address('/'), { signal: given.signal })).rejects.toThrow('enough')
  expect(asked).toBe(1)
})

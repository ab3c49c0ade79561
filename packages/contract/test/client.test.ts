import { expect, test } from 'vitest'
import { ApiError, createClient } from '../src/index.ts'

/** A client whose requests are noted and answered here. */
function clientOf(baseUrl: string, answer: Response = Response.json({ ok: true })) {
  const requests: { url: string; method: string | undefined; body: unknown; headers: Headers }[] = []
  const client = createClient({
    baseUrl,
    sdkKey: 'server-key',
    fetch: async (url, init) => {
      requests.push({ url: String(url), method: init?.method, body: init?.body, headers: new Headers(init?.headers) })
      return answer
    }
  })
  return { client, requests }
}

test.each([
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/v1/variables/new-checkout?enableEdgeDB=true'],
  ['https://flags.example.com/burgee/', 'https://flags.example.com/burgee/v1/variables/new-checkout?enableEdgeDB=true']
])('sends what the record says, below %s', async (baseUrl, url) => {
  const { client, requests } = clientOf(baseUrl)
  const query = { enableEdgeDB: 'true' }
  await client.evaluateVariable({ params: { key: 'new-checkout' }, query, body: { user_id: 'ada' } })
  expect(requests).toMatchObject([{ url, method: 'POST', body: '{"user_id":"ada"}' }])
  expect(requests[0]?.headers.get('authorization')).toBe('server-key')
})

test('escapes what stands in the path', async () => {
  const { client, requests } = clientOf('http://127.0.0.1:8080')
  await client.updateOptIns({ params: { user_id: 'a/b?c#é' }, body: {} })
  expect(requests[0]?.url).toBe('http://127.0.0.1:8080/v1/optIns/a%2Fb%3Fc%23%C3%A9')
})

test.each(['', '.', '..', undefined])(
  'sends nothing for the path parameter %j, which would lead elsewhere',
  async (id) => {
    const { client, requests } = clientOf('http://127.0.0.1:8080')
    const request = client.updateOptIns({ params: { user_id: id as string }, body: {} })
    await expect(request).rejects.toThrow('updateOptIns needs the parameter user_id')
    expect(requests).toEqual([])
  }
)

test.each([
  [Response.json({ statusCode: 404, message: 'gone' }, { status: 404 }), { statusCode: 404, message: 'gone' }],
  [new Response('Bad Gateway', { status: 502 }), 'Bad Gateway']
])('rejects with status and body when it is refused', async (answer, body) => {
  const { client } = clientOf('http://127.0.0.1:8080', answer)
  const error = await client.evaluateVariables({ body: { user_id: 'ada' } }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ operation: 'evaluateVariables', status: answer.status, body })
})

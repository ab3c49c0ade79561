import { describe, expect, test } from 'vitest'
import { ApiError, createClient, paginate } from '../src/index.ts'

/** A client whose requests are noted and answered here. */
function clientOf(baseUrl: string, answer: Response = Response.json({ ok: true })) {
  const requests: { url: string; method: string | undefined; body: unknown; headers: Headers }[] = []
  const client = createClient({
    baseUrl,
    credentials: { sdkKey: 'server-key' },
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

test('sends headers that the record names', async () => {
  const { client, requests } = clientOf('http://127.0.0.1:8080', Response.json({}, { status: 201 }))
  const body = { user: { user_id: 'ada' }, events: [{ type: 'purchase' }] }
  await client.sendEvents({ headers: { 'idempotency-key': 'payload-1' }, body })
  expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
    authorization: 'server-key',
    'content-type': 'application/json',
    'idempotency-key': 'payload-1'
  })
})

test('sends no header that is left undefined', async () => {
  const { client, requests } = clientOf('http://127.0.0.1:8080', Response.json({}, { status: 201 }))
  await client.sendEvents({ headers: { 'idempotency-key': undefined }, body: { user: { user_id: 'ada' }, events: [] } })
  expect(requests[0]?.headers.has('idempotency-key')).toBe(false)
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

describe('a client of the management API', () => {
  const credentials = { clientId: 'cli', clientSecret: 'secret' }

  /** A server that grants tokens `token-1`, `token-2`, …, and answers with what `answer` makes of the token it gets. */
  function serverOf(answer: (token: string | null, url: URL) => Response, expiresIn = 86_400) {
    const granted: string[] = []
    const urls: URL[] = []
    const client = createClient({
      baseUrl: 'http://127.0.0.1:8080',
      credentials,
      fetch: async (address, init) => {
        const url = new URL(String(address))
        if (url.pathname !== '/oauth/token') {
          urls.push(url)
          return answer(new Headers(init?.headers).get('authorization'), url)
        }
        granted.push(String(init?.body))
        return Response.json({ access_token: `token-${granted.length}`, expires_in: expiresIn, token_type: 'Bearer' })
      }
    })
    return { client, granted, urls }
  }

  test('fetches one token for calls that come together, and goes on with it', async () => {
    const { client, granted } = serverOf(() => Response.json([]))
    await Promise.all([client.listProjects(), client.listOrganizations()])
    await client.listProjects()
    expect(granted).toEqual(['grant_type=client_credentials&client_id=cli&client_secret=secret'])
  })

  test('fetches another one when the first is about to expire', async () => {
    const { client, granted } = serverOf(() => Response.json([]), 59)
    await client.listProjects()
    await client.listProjects()
    expect(granted).toHaveLength(2)
  })

  test('tries once more with another token when the first is refused', async () => {
    const { client, granted } = serverOf((token) => {
      return token === 'Bearer token-2' ? Response.json([]) : Response.json({ message: 'jwt expired' }, { status: 401 })
    })
    expect(await client.listProjects()).toEqual([])
    expect(granted).toHaveLength(2)
  })

  test('gives up when another token is refused as well', async () => {
    const { client, granted } = serverOf(() => Response.json({ message: 'no' }, { status: 401 }))
    await expect(client.listProjects()).rejects.toMatchObject({ operation: 'listProjects', status: 401 })
    expect(granted).toHaveLength(2)
  })

  test('tells that no token was granted, and asks again the next time', async () => {
    let refusals = 1
    const client = createClient({
      baseUrl: 'http://127.0.0.1:8080',
      credentials,
      fetch: async (url) => {
        if (!String(url).endsWith('/oauth/token')) return Response.json([])
        if (refusals-- > 0) return Response.json({ error: 'invalid_client' }, { status: 401 })
        return Response.json({ access_token: 'token', expires_in: 100 })
      }
    })
    await expect(client.listProjects()).rejects.toMatchObject({ operation: 'token', status: 401 })
    expect(await client.listProjects()).toEqual([])
  })

  test('says which credential is missing', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:8080', credentials: {} })
    await expect(client.listProjects()).rejects.toThrow('listProjects needs credentials.clientId')
    await expect(client.evaluateFeatures({ body: { user_id: 'ada' } })).rejects.toThrow('needs credentials.sdkKey')
  })

  test('answers nothing where the operation has no answer', async () => {
    const { client } = serverOf(() => new Response(''))
    expect(await client.deleteProject({ params: { key: 'shop' } })).toBeUndefined()
  })

  test('repeats a query parameter that is a list', async () => {
    const { client, urls } = serverOf(() => Response.json([]))
    await client.listFeatures({ params: { project: 'shop' }, query: { keys: ['one', 'other'] } })
    expect(urls[0]?.search).toBe('?keys=one&keys=other')
  })

  test.each([
    [0, 1],
    [99, 1],
    [100, 2],
    [250, 3]
  ])('walks through %j items in %j pages', async (count, pages) => {
    const keys = Array.from({ length: count }, (_, index) => `feature-${index}`)
    const { client, urls } = serverOf((_, url) => {
      const page = Number(url.searchParams.get('page'))
      return Response.json(keys.slice((page - 1) * 100, page * 100))
    })
    const found: unknown[] = []
    const request = { params: { project: 'shop' }, query: { search: 'feature' } }
    for await (const item of paginate(client.listFeatures, request)) found.push(item)
    expect(found).toEqual(keys)
    expect(urls).toHaveLength(pages)
    expect(urls[0]?.searchParams.get('search')).toBe('feature')
  })
})

test.each([301, 302, 303, 307, 308])('follows no redirect, %i, with a key or a secret', async (status) => {
  const sent: string[] = []
  const credentials = { sdkKey: 'server-key', clientId: 'me', clientSecret: 'secret' }
  const client = createClient({
    baseUrl: 'http://127.0.0.1:8080',
    credentials,
    fetch: async (url, init) => {
      sent.push(`${url} ${init?.redirect}`)
      return new Response(null, { status, headers: { location: 'https://elsewhere.example/' } })
    }
  })
  const refusal = /answered \d+: a redirect to https:\/\/elsewhere\.example\/, which is not followed/
  await expect(client.evaluateVariables({ body: { user_id: 'ada' } })).rejects.toThrow(refusal)
  await expect(client.listProjects()).rejects.toThrow(refusal)
  expect(sent).toEqual(['http://127.0.0.1:8080/v1/variables manual', 'http://127.0.0.1:8080/oauth/token manual'])
})

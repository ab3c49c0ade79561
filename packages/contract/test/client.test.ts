import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { ApiError, type Credentials, createClient, describeNetworkError, listPage, wasSent } from '../src/client.ts'

/** Creates a client whose requests are recorded and get this response. */
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
])('sends requests as the operation describes, below %s', async (baseUrl, url) => {
  const { client, requests } = clientOf(baseUrl)
  const query = { enableEdgeDB: 'true' }
  await client.evaluateVariable({ params: { key: 'new-checkout' }, query, body: { user_id: 'ada' } })
  expect(requests).toMatchObject([{ url, method: 'POST', body: '{"user_id":"ada"}' }])
  expect(requests[0]?.headers.get('authorization')).toBe('server-key')
})

test('sends the headers of a request', async () => {
  const { client, requests } = clientOf('http://127.0.0.1:8080', Response.json({}, { status: 201 }))
  const body = { user: { user_id: 'ada' }, events: [{ type: 'purchase' }] }
  await client.sendEvents({ headers: { 'idempotency-key': 'payload-1' }, body })
  expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
    authorization: 'server-key',
    'content-type': 'application/json',
    'idempotency-key': 'payload-1'
  })
})

test('sends no header whose value is undefined', async () => {
  const { client, requests } = clientOf('http://127.0.0.1:8080', Response.json({}, { status: 201 }))
  await client.sendEvents({ headers: { 'idempotency-key': undefined }, body: { user: { user_id: 'ada' }, events: [] } })
  expect(requests[0]?.headers.has('idempotency-key')).toBe(false)
})

test('encodes path parameters', async () => {
  const { client, requests } = clientOf('http://127.0.0.1:8080')
  await client.updateOptIns({ params: { user_id: 'a/b?c#é' }, body: {} })
  expect(requests[0]?.url).toBe('http://127.0.0.1:8080/v1/optIns/a%2Fb%3Fc%23%C3%A9')
})

test.each(['', '.', '..', undefined])(
  'rejects the path parameter %j, which would address another operation',
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
])('rejects with the status and body of an error response', async (answer, body) => {
  const { client } = clientOf('http://127.0.0.1:8080', answer)
  const error = await client.evaluateVariables({ body: { user_id: 'ada' } }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ operation: 'evaluateVariables', status: answer.status, body })
})

test('an ApiError has the error type of the response, if it is a known one', () => {
  const typeOf = (body: unknown) => new ApiError('createProject', 409, body).errorType
  expect(typeOf({ errorType: 'ERR_DUPE_PROJECT_KEY' })).toBe('ERR_DUPE_PROJECT_KEY')
  expect([typeOf({ errorType: 'ERR_LATER' }), typeOf('text'), typeOf(null)]).toEqual([undefined, undefined, undefined])
})

describe('a client of the management API', () => {
  const credentials = { clientId: 'cli', clientSecret: 'secret' }

  /** Creates a client of a server that issues `token-1`, `token-2`, …, and responds with `answer`. */
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

  test('requests one token for concurrent calls and reuses it', async () => {
    const { client, granted } = serverOf(() => Response.json([]))
    await Promise.all([client.listProjects(), client.listOrganizations()])
    await client.listProjects()
    expect(granted).toEqual(['grant_type=client_credentials&client_id=cli&client_secret=secret'])
  })

  test('requests another token before the first one expires', async () => {
    const { client, granted } = serverOf(() => Response.json([]), 59)
    await client.listProjects()
    await client.listProjects()
    expect(granted).toHaveLength(2)
  })

  test('retries with another token when the first one is rejected', async () => {
    const { client, granted } = serverOf((token) => {
      return token === 'Bearer token-2' ? Response.json([]) : Response.json({ message: 'jwt expired' }, { status: 401 })
    })
    expect(await client.listProjects()).toEqual([])
    expect(granted).toHaveLength(2)
  })

  test('rejects when the second token is rejected too', async () => {
    const { client, granted } = serverOf(() => Response.json({ message: 'no' }, { status: 401 }))
    await expect(client.listProjects()).rejects.toMatchObject({ operation: 'listProjects', status: 401 })
    expect(granted).toHaveLength(2)
  })

  test('rejects when no token is issued, and requests one again on the next call', async () => {
    let failuresLeft = 1
    const client = createClient({
      baseUrl: 'http://127.0.0.1:8080',
      credentials,
      fetch: async (url) => {
        if (!String(url).endsWith('/oauth/token')) return Response.json([])
        if (failuresLeft-- > 0) return Response.json({ error: 'invalid_client' }, { status: 401 })
        return Response.json({ access_token: 'token', expires_in: 100 })
      }
    })
    await expect(client.listProjects()).rejects.toMatchObject({ operation: 'token', status: 401 })
    expect(await client.listProjects()).toEqual([])
  })

  test('resolves to undefined where the operation has no response body', async () => {
    const { client } = serverOf(() => new Response(''))
    expect(await client.deleteProject({ params: { key: 'shop' } })).toBeUndefined()
  })

  test('repeats a query parameter for each value of a list', async () => {
    const { client, urls } = serverOf(() => Response.json([]))
    await client.listFeatures({ params: { project: 'shop' }, query: { keys: ['one', 'other'] } })
    expect(urls[0]?.search).toBe('?keys=one&keys=other')
  })

  test('lists a page with the number of items on all pages', async () => {
    const { client } = serverOf(() => Response.json([{ key: 'shop' }], { headers: { count: '42' } }))
    expect(await listPage(client.listProjects, { query: { perPage: 1 } })).toEqual({
      items: [{ key: 'shop' }],
      count: 42
    })
  })
})

test.each([301, 302, 303, 307, 308])(
  'sends keys and secrets to no other address after a redirect (%i)',
  async (status) => {
    const sent: string[] = []
    const clientWith = (credentials: Credentials) =>
      createClient({
        baseUrl: 'http://127.0.0.1:8080',
        credentials,
        fetch: async (url, init) => {
          sent.push(`${url} ${init?.redirect}`)
          return new Response(null, { status, headers: { location: 'https://elsewhere.example/' } })
        }
      })
    const redirectError = /answered \d+: a redirect to https:\/\/elsewhere\.example\/, which is not followed/
    const evaluate = clientWith({ sdkKey: 'server-key' })
    await expect(evaluate.evaluateVariables({ body: { user_id: 'ada' } })).rejects.toThrow(redirectError)
    const manage = clientWith({ clientId: 'me', clientSecret: 'secret' })
    await expect(manage.listProjects()).rejects.toThrow(redirectError)
    expect(sent).toEqual(['http://127.0.0.1:8080/v1/variables manual', 'http://127.0.0.1:8080/oauth/token manual'])
  }
)

test('aborts a request that gets no response within the timeout', async () => {
  const client = createClient({
    baseUrl: 'http://127.0.0.1:8080',
    credentials: { sdkKey: 'server-key' },
    timeoutMs: 20,
    fetch: (_, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
  })
  const error = await client.evaluateVariables({ body: { user_id: 'ada' } }).catch((cause) => cause)
  expect(describeNetworkError(error, 20)).toBe('did not answer within 0.02 seconds')
})

test('describes why a server cannot be reached', async () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1', credentials: { sdkKey: 'server-key' } })
  const error = await client.evaluateVariables({ body: { user_id: 'ada' } }).catch((cause) => cause)
  expect(describeNetworkError(error)).toMatch(/^cannot be reached: /)
  expect(wasSent(error)).toBe(false)
  expect(describeNetworkError(new TypeError('listFeatures needs credentials'))).toBeUndefined()
})

/** Returns the error of a request to a server that handles connections in some way. */
async function errorOf(protocol: 'http' | 'https', onConnection: (socket: Socket) => void): Promise<unknown> {
  const server = createServer(onConnection)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createClient({ baseUrl, credentials: { sdkKey: 'server-key' } })
  const error = await client.evaluateVariables({ body: { user_id: 'ada' } }).catch((cause) => cause)
  server.close()
  return error
}

test('a connection that ends before the response means that the request was sent', async () => {
  for (const end of ['destroy', 'resetAndDestroy'] as const) {
    const error = await errorOf('http', (socket) => socket.once('data', () => socket[end]()))
    expect([describeNetworkError(error), wasSent(error)]).toEqual([
      expect.stringMatching(/^closed the connection before it answered: /),
      true
    ])
  }
})

test('a server without TLS is not described in the notation of OpenSSL', async () => {
  const error = await errorOf('https', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  expect([describeNetworkError(error), wasSent(error)]).toEqual([
    'cannot be reached: it does not answer with TLS: try http:// in place of https://',
    false
  ])
})

test.each([
  [
    { statusCode: 400, message: ['key is taken', 'name is too long'], error: 'Bad Request' },
    'key is taken; name is too long'
  ],
  [{ key: 'checkout', errorCode: 'FLAG_NOT_FOUND', errorDetails: 'there is no such flag' }, 'there is no such flag'],
  [{ error: 'invalid_client', error_description: 'the secret is wrong' }, 'the secret is wrong'],
  [{ error: 'invalid_client' }, 'invalid_client'],
  [['no', 'error'], undefined],
  ['<html>', undefined]
])('an error with the body %j has the detail %j', (body, detail) => {
  expect(new ApiError('getFeature', 400, body).detail).toBe(detail)
})

test('an error has the issues of its body', () => {
  const issue = { in: 'body', path: ['name'], message: 'name should be a string, got 7' }
  const body = { statusCode: 400, message: [issue.message], error: 'Bad Request', issues: [issue, 'no issue', null] }
  expect(new ApiError('createFeature', 400, body).issues).toEqual([issue])
  expect(new ApiError('createFeature', 502, '<html>').issues).toEqual([])
})

test('an error has the id of the request, if the response names it', () => {
  const headers = new Headers({ 'x-request-id': 'b1f6f3a0' })
  expect(new ApiError('createFeature', 500, '', headers).requestId).toBe('b1f6f3a0')
  expect(new ApiError('createFeature', 500, '').requestId).toBeUndefined()
})

test.each([
  ['feature:write', 'feature:write'],
  ['feature:fly', undefined]
])('an error that names the permission %s has the missing permission %s', (missingPermission, expected) => {
  const body = { statusCode: 403, message: 'denied', error: 'Forbidden', missingPermission }
  expect(new ApiError('createFeature', 403, body).missingPermission).toBe(expected)
})

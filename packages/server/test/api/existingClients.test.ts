import { type Operation, operations } from '@burgee/contract'
import { addAccounts, openBrowser, pkceParameters, VERIFIER } from '@burgee/testing/browser'
import { type ApiResponse, call, send, serve, storeWith, type TestServer, tokenOf } from '@burgee/testing/harness'
import { idOf, keyOf } from '@burgee/testing/plan'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it, test } from 'vitest'

const PASSWORD = 'a quiet morning on the lake'
const CALLBACK = 'http://localhost:2194/callback'

let server: TestServer

beforeAll(async () => {
  const directory = await storeWith({
    settings: { edgeDB: { enabled: true } },
    features: [{ key: 'checkout' }, { key: 'search' }]
  })
  await addAccounts(directory, {
    people: [{ email: 'ada@example.com', name: 'Ada', password: PASSWORD }],
    clients: [
      { clientId: 'cli', name: 'CLI', redirectUris: [CALLBACK] },
      { clientId: 'stranger', name: 'Stranger', redirectUris: [CALLBACK], isDynamic: true }
    ]
  })
  server = await serve(directory)
})

/** A request of the management API with the administrator's token. */
async function manage(method: string, path: string, body?: object): Promise<ApiResponse> {
  const headers = { authorization: await tokenOf(server), 'content-type': 'application/json' }
  return send(server, { method, path, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
}

/** Signs in through a path of the authorization server and returns the token response. */
async function signIn(path: string, clientId: string, scope: string): Promise<ApiResponse> {
  const browser = openBrowser(server)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    state: 'the-state',
    ...pkceParameters,
    audience: `${server.url}/`,
    scope
  })
  const page = await browser.get(`${path}?${query}`)
  const asked = await browser.submit(page, 'login', { email: 'ada@example.com', password: PASSWORD })
  const { location } = asked.location ? asked : await browser.submit(asked, 'consent')
  return send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: location?.searchParams.get('code'),
      code_verifier: VERIFIER,
      redirect_uri: CALLBACK,
      scope
    })
  })
}

describe('the sign-in of a command line', () => {
  it('starts at /authorize and ends with a token that names organization and e-mail address', async () => {
    const { status, body } = await signIn('/authorize', 'cli', 'offline_access')
    expect(status).toBe(200)
    const { org_id, email } = decodeJwt(body.access_token)
    expect([org_id, email]).toEqual(['org_test', 'ada@example.com'])
    expect((await call(server, 'listProjects', { key: body.access_token })).status).toBe(200)
  })

  it('allows no page to read /authorize', async () => {
    const { headers } = await send(server, {
      path: '/authorize?client_id=x',
      headers: { origin: 'https://shop.example' }
    })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  test.each([
    ['without the scope email has no e-mail address', 'openid', undefined],
    ['with the scope email has the e-mail address', 'openid email', 'ada@example.com']
  ])('the token of a client that registered itself, %s', async (_, scope, expected) => {
    const { body } = await signIn('/oauth/authorize', 'stranger', scope)
    expect(decodeJwt(body.access_token).email).toBe(expected)
  })

  it('the token of a client for itself has no e-mail address', async () => {
    expect(decodeJwt(await tokenOf(server)).email).toBeUndefined()
  })
})

describe('an Android application', () => {
  const save = (path: string) => {
    const headers = { authorization: keyOf('mobile'), 'content-type': 'application/json' }
    return send(server, { method: 'PATCH', path, headers, body: '{"user_id":"ada","country":"CA"}' })
  }

  it('saves its user at /v1/edgeDB', async () => {
    expect(await save('/v1/edgeDB/ada')).toMatchObject({ status: 200, body: { message: expect.any(String) } })
  })

  it.each(['/v1/EdgeDB/ada', '/v1/EDGEDB/ada', '/v1/edgeDb/ada'])('finds nothing at %s', async (path) => {
    expect((await save(path)).status).toBe(404)
  })
})

describe('a change of a variable', () => {
  const create = (key: string, members: object = {}) => {
    return call(server, 'createVariable', { params: { project: 'shop' }, body: { key, type: 'String', ...members } })
  }
  const update = (key: string, body: object) => manage('PATCH', `/v1/projects/shop/variables/${key}`, body)

  it.each(['checkout', idOf('checkout')])('may name the feature it belongs to: %s', async (_feature) => {
    const key = `named-${_feature}`
    await create(key, { _feature })
    const { status, body } = await update(key, { _feature, name: 'Title' })
    expect([status, body._feature, body.name]).toEqual([200, idOf('checkout'), 'Title'])
  })

  it('adds a variable without a feature to the feature that it names', async () => {
    await create('free', { name: 'Free' })
    const { status, body } = await update('free', { _feature: 'checkout', name: 'Taken' })
    expect([status, body._feature, body.name]).toEqual([200, idOf('checkout'), 'Taken'])
    const feature = await call(server, 'getFeature', { params: { project: 'shop', feature: 'checkout' } })
    expect(feature.body.variations[0].variables.free).toBe('')
  })

  it('is refused if it names another feature, or none that exists', async () => {
    await create('settled', { _feature: 'checkout' })
    const other = await update('settled', { _feature: 'search' })
    expect([other.status, other.body.message]).toEqual([412, expect.stringContaining('belongs to feature "checkout"')])
    expect((await update('settled', { _feature: 'nowhere' })).status).toBe(404)
  })

  it('is refused if it adds an archived variable', async () => {
    await create('old')
    await manage('PATCH', '/v1/projects/shop/variables/old/status', { status: 'archived' })
    expect((await update('old', { _feature: 'checkout' })).status).toBe(409)
  })
})

it('an event source of React Native may send X-Requested-With', async () => {
  const answer = await send(server, {
    method: 'OPTIONS',
    path: `/event-stream?sdkKey=${keyOf('client')}`,
    headers: {
      origin: 'https://shop.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'cache-control,x-requested-with'
    }
  })
  expect(answer.status).toBe(204)
  expect(String(answer.headers['access-control-allow-headers']).split(/, ?/)).toContain('x-requested-with')
})

test.each(['evaluations', 'summary'])('the results of a feature have the former name %s', async (name) => {
  const before = '/v1/projects/shop/features/checkout/results'
  const range = 'startDate=1772280000000&endDate=1772366400000&period=day&environment=production'
  const current = await manage('GET', `${before}/total-evaluations?${range}`)
  const former = await manage('GET', `${before}/${name}?${range}`)
  expect([former.status, former.body.result]).toEqual([200, current.body.result])
})

describe('an address that ends in a slash', () => {
  it.each([
    ['GET', `//config/v2/server/${keyOf('server')}.json`, undefined],
    ['POST', '//v1/variables', '{"user_id":"ada"}']
  ])('still leads to %s %s', async (method, path, body) => {
    const headers = { authorization: keyOf('server'), 'content-type': 'application/json' }
    expect((await send(server, { method, path, headers, ...(body ? { body } : {}) })).status).toBe(200)
  })

  it('still leads to no page that other sites may read', async () => {
    const headers = { origin: 'https://shop.example' }
    const answer = await send(server, { path: '//oauth/authorize?client_id=x', headers })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})

it('no alias of an operation is the path of another', () => {
  const all = Object.values<Operation>(operations).flatMap(({ method, path, aliases = [] }) => {
    return [path, ...aliases].map((one) => `${method} ${one}`)
  })
  expect(new Set(all).size).toBe(all.length)
})

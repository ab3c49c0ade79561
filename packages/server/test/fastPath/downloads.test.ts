import { call, sendBytes, serve, type TestServer } from '@burgee/testing/harness'
import { attributeFilter, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it } from 'vitest'
import { clientUser } from '../support/clientUser.ts'

// The application answers a path that begins with two slashes as the one without the first of them; the fast path does not.

const plan: Plan = {
  settings: { edgeDB: { enabled: true }, obfuscation: { enabled: true, required: false } },
  environments: { production: {}, signed: { signedUsers: 'required' } },
  features: [
    { key: 'plain', targets: [{ name: 'Everybody' }] },
    { key: 'canada', targets: [{ filters: [attributeFilter('country', 'CA')] }] },
    { key: 'half', targets: [{ serves: { 'variation-on': 0.5, 'variation-off': 0.5 } }] },
    { key: 'with-texts', variables: { texts: 'JSON' }, variations: { a: { texts: ['é', '\u2028', '"'] } } }
  ],
  edgeUsers: { ada: { country: 'CA' } }
}

let server: TestServer
let restricted: { network: string; origin: string }

beforeAll(async () => {
  server = await serve(plan, { trustedProxies: 1 })
  restricted = {
    network: await generate('server', { allowedNetworks: ['192.0.2.0/24'] }),
    origin: await generate('client', { allowedOrigins: ['https://app.example.com'] })
  }
})

async function generate(type: 'server' | 'client', body: object): Promise<string> {
  const created = await call(server, 'generateSdkKeys', {
    params: { project: 'shop', environment: 'production' },
    body: { [type]: true, ...body }
  })
  return created.body.sdkKeys[type].at(-1).key
}

interface Sent {
  readonly headers?: readonly string[]
  readonly method?: string
  readonly body?: string
}

/** Returns the response to a request, without what differs between any two. */
async function answer(path: string, { headers = [], method = 'GET', body = '' }: Sent = {}): Promise<string> {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: localhost', 'connection: close', ...headers]
  const response = await sendBytes(server, Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`))
  return response
    .replace(/^x-request-id: [\da-f-]{36}\r$/gim, 'x-request-id: …\r')
    .replace(/^Date: .*\r$/gim, 'Date: …\r')
}

async function expectSameResponses(path: string, requests: Readonly<Record<string, Sent>>): Promise<void> {
  const [fast, application]: Record<string, string>[] = [{}, {}]
  for (const [title, request] of Object.entries(requests)) {
    fast![title] = await answer(path, request)
    application![title] = await answer(`/${path}`, request)
  }
  expect(fast).toEqual(application)
}

async function validatorsOf(path: string): Promise<{ readonly etag: string; readonly date: string }> {
  const response = await answer(path)
  const [, etag = ''] = /^etag: (.+)\r$/im.exec(response) ?? []
  const [, date = ''] = /^last-modified: (.+)\r$/im.exec(response) ?? []
  return { etag, date }
}

/** Returns headers of requests for a response with this ETag. */
function conditions(etag: string): Readonly<Record<string, Sent>> {
  const newer = etag.replace(/\d+/, (seconds) => String(Number(seconds) + 1000))
  const strong = etag.replace('W/', '')
  const known = { etag, strong, weak: `W/${strong}`, unquoted: strong.slice(1, -1), listed: `"a", ${etag}`, any: '*' }
  const others = { newer, other: '"other"', star: '"*"', empty: '', both: `${etag}, ${newer}`, open: etag.slice(0, -1) }
  return Object.fromEntries(
    Object.entries({ ...known, ...others }).map(([title, value]) => [title, { headers: [`if-none-match: ${value}`] }])
  )
}

const bodies: Readonly<Record<string, Sent>> = {
  HEAD: { method: 'HEAD' },
  'an empty body': { headers: ['content-length: 0'] },
  'a body': { headers: ['content-length: 2', 'content-type: application/json'], body: '{}' },
  'a chunked body': { headers: ['transfer-encoding: chunked'], body: '2\r\n{}\r\n0\r\n\r\n' },
  'a cookie': { headers: ['cookie: a=b'] },
  'an origin': { headers: ['origin: https://app.example.com'] },
  'an event id': { headers: ['last-event-id: 1'] }
}

const documents = [
  ...['', 'bootstrap/', 'bootstrap/obfuscated/'].flatMap((kind) => [
    `/config/v1/server/${kind}`,
    `/config/v2/server/${kind}`
  ]),
  '/config/v2/edge/'
]

describe('the fast path and the application respond with the same bytes', () => {
  it.each(documents)('to requests for documents: %s', async (folder) => {
    const path = `${folder}${keyOf('server')}.json`
    const { etag, date } = await validatorsOf(path)
    expect(etag).toMatch(/^W\/".+"$/)
    const dates = [date, new Date(Date.parse(date) + 1000).toUTCString(), new Date(0).toUTCString(), 'x', '']
    const encodings = ['gzip', 'br', 'gzip, deflate, br', 'identity', '*', 'gzip;q=0.5, br;q=0.1', 'identity;q=0', '']
    await expectSameResponses(path, {
      plain: {},
      ...bodies,
      ...conditions(etag),
      ...Object.fromEntries(dates.map((value) => [value, { headers: [`if-modified-since: ${value}`] }])),
      ...Object.fromEntries(encodings.map((value) => [`accepts ${value}`, { headers: [`accept-encoding: ${value}`] }])),
      'both validators': { headers: [`if-none-match: ${etag}`, `if-modified-since: ${date}`] },
      'another ETag with the date': { headers: ['if-none-match: "x"', `if-modified-since: ${date}`] },
      'an ETag and an encoding': { headers: [`if-none-match: ${etag}`, 'accept-encoding: br'] },
      'two encodings': { headers: ['accept-encoding: gzip', 'accept-encoding: br;q=0.1'] },
      'another key in a header': { headers: ['authorization: server-nobody'] }
    })
    for (const key of [
      keyOf('client'),
      keyOf('server', 'signed'),
      'server-nobody',
      `server-burgee_${'a'.repeat(49)}`,
      `${keyOf('server')}.json`,
      `${keyOf('server').slice(0, -1)}%${keyOf('server')
        .charCodeAt(keyOf('server').length - 1)
        .toString(16)}`,
      'pl%zz',
      '',
      restricted.network
    ]) {
      await expectSameResponses(`${folder}${key}.json`, {
        allowed: { headers: ['x-forwarded-for: 192.0.2.7'] },
        refused: { headers: ['x-forwarded-for: 198.51.100.1'] }
      })
    }
    await expectSameResponses(`${folder}${keyOf('server')}`, { 'no suffix': {} })
    await expectSameResponses(`${path}?a=b`, { 'a query': {} })
  })

  const user = clientUser('ada')
  const withKey = (more: Readonly<Record<string, string>> = {}) =>
    new URLSearchParams({ ...user, sdkKey: keyOf('client'), ...more }).toString()
  const queries: Readonly<Record<string, string>> = {
    valid: withKey(),
    'another user': withKey({ user_id: 'bob é+&=%', country: 'CA', customData: '{"plan":"pro"}' }),
    'no user': `sdkKey=${keyOf('client')}`,
    'no key': new URLSearchParams(user).toString(),
    'a server key': withKey({ sdkKey: keyOf('server') }),
    'a mobile key': withKey({ sdkKey: keyOf('mobile') }),
    'an unknown key': withKey({ sdkKey: 'client-nobody' }),
    'a damaged key': withKey({ sdkKey: `client-burgee_${'a'.repeat(49)}` }),
    'a key with spaces': withKey({ sdkKey: ` ${keyOf('client')}` }),
    'a key after Bearer': withKey({ sdkKey: `Bearer ${keyOf('client')}` }),
    'an empty key': withKey({ sdkKey: '' }),
    'two keys': `${withKey()}&sdkKey=${keyOf('client')}`,
    'a key of signed users': withKey({ sdkKey: keyOf('client', 'signed') }),
    'edge data': withKey({ enableEdgeDB: 'true' }),
    'no edge data': withKey({ enableEdgeDB: 'false' }),
    'a wrong option': withKey({ enableEdgeDB: 'maybe' }),
    obfuscated: withKey({ obfuscated: '1' }),
    'a stream message': withKey({ sse: '1', sseLastModified: String(NOW), sseEtag: '"1-a"' }),
    'a newer version': withKey({ sse: '1', sseLastModified: String(NOW + 1_000_000) }),
    'private data': withKey({ privateCustomData: '{"seats":1,"userHash":"x"}' }),
    'data that is no JSON': withKey({ customData: '{' }),
    'an unknown member': withKey({ theme: 'dark', __proto__x: '1' }),
    'a reserved member': `${withKey()}&__proto__=1&constructor=2`,
    'two users': `${withKey()}&user_id=eve`,
    'a list': `${withKey()}&country[]=CA`,
    'a wrong escape': `${withKey()}&name=%zz`,
    'half of a character': `${withKey()}&name=%C3`,
    NUL: `${withKey()}&name=%00`,
    'unescaped characters': `${withKey()}&name=a'b(c)!*~:@/?;,$`,
    'a fragment': `${withKey()}#name=x`,
    'bytes beyond ASCII': `${withKey()}&name=é`,
    'no separator': `${withKey()}&&name&=x&`,
    'many members': `${withKey()}&${Array.from({ length: 1_010 }, (_, index) => `a${index}=1`).join('&')}`,
    'a long text': withKey({ name: 'x'.repeat(12_000) }),
    'a blank id': withKey({ user_id: ' ' }),
    'an origin that is not allowed': withKey({ sdkKey: '…' }),
    none: ''
  }

  it.each(['/v1/sdkConfig', '/v1/mobileSDKConfig', '/v1/optInConfig'])('to queries for %s', async (path) => {
    for (const [title, query] of Object.entries(queries)) {
      await expectSameResponses(`${path}?${query}`, {
        [title]: {},
        'with a key': { headers: [`authorization: Bearer ${keyOf('mobile')}`] }
      })
    }
    await expectSameResponses(path, { 'no query': { headers: [`authorization: ${keyOf('client')}`] } })
    await expectSameResponses(`${path}?${withKey({ sdkKey: restricted.origin })}`, {
      allowed: { headers: ['origin: https://app.example.com'] },
      refused: { headers: ['origin: https://other.example.com'] }
    })
    await expectSameResponses(`${path}?${withKey()}`, {
      ...bodies,
      Bearer: { headers: ['authorization: Bearer'] },
      'an unknown key in the header': { headers: ['authorization: client-nobody'] },
      'two keys in headers': { headers: ['authorization: a', `authorization: ${keyOf('client')}`] },
      'a signature': { headers: ['x-burgee-user-hash: aa'] }
    })
  })

  it('to the ETag of a client config', async () => {
    for (const more of [{}, { obfuscated: '1' }, { user_id: 'eve' }]) {
      const path = `/v1/sdkConfig?${withKey(more)}`
      const { etag } = await validatorsOf(path)
      expect(await answer(path, { headers: [`if-none-match: ${etag}`] })).toMatch(/^HTTP\/1.1 304 /)
      await expectSameResponses(path, conditions(etag))
    }
  })
})

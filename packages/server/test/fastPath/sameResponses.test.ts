import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { call, send, sendBytes, serve, type TestServer } from '@burgee/testing/harness'
import { attributeFilter, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { sample } from '@burgee/testing/scale'
import { beforeAll, describe, expect, it, vi } from 'vitest'

// A URL with a query, even an empty one, is no URL of the fast path: the application answers it.

const plan: Plan = {
  settings: { edgeDB: { enabled: true }, optIn: { enabled: true } },
  environments: { production: {}, signed: { signedUsers: 'required' } },
  features: [
    { key: 'plain', targets: [{ name: 'Everybody' }] },
    { key: 'canada', targets: [{ filters: [attributeFilter('country', 'CA')] }] },
    { key: 'half', targets: [{ serves: { 'variation-on': 0.5, 'variation-off': 0.5 } }] },
    { key: 'inactive', offIn: ['production'] },
    { key: 'undecidable', targets: [{ serves: { 'variation-on': 0 } }] },
    {
      key: 'é-is-no-key-but-a-value',
      variables: { texts: 'JSON' },
      variations: { a: { texts: ['é', '\u2028', '"'] } }
    }
  ]
}

let server: TestServer
let restricted: { network: string; expired: string; origin: string }

beforeAll(async () => {
  server = await serve(plan, { trustedProxies: 1 })
  restricted = {
    network: await generate({ allowedNetworks: ['192.0.2.0/24'] }),
    expired: await generate({ expiresAt: new Date(NOW + 1).toISOString() }),
    origin: await generate({ allowedOrigins: ['https://app.example.com'] }, 'client')
  }
  server.clock.now = () => NOW + 2
})

async function generate(body: object, type: 'server' | 'client' = 'server'): Promise<string> {
  const created = await call(server, 'generateSdkKeys', {
    params: { project: 'shop', environment: 'production' },
    body: { [type]: true, ...body }
  })
  return created.body.sdkKeys[type].at(-1).key
}

interface Sent {
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Buffer
  readonly isChunked?: boolean
  readonly method?: string
}

const paths = [
  '/v1/variables',
  '/v1/features',
  '/v1/track',
  '/v1/events',
  '/v1/events/batch',
  '/v1/variables/plain',
  '/v1/variables/canada',
  '/v1/variables/inactive',
  '/v1/variables/undecidable',
  '/v1/variables/missing',
  '/v1/variables/Not_A.key',
  '/v1/variables/',
  '/v1/variables/plain/plain',
  '/v1/variables/pl%61in',
  '/ofrep/v1/evaluate/flags',
  '/ofrep/v1/evaluate/flags/plain',
  '/ofrep/v1/evaluate/flags/inactive',
  '/ofrep/v1/evaluate/flags/undecidable',
  '/ofrep/v1/evaluate/flags/missing'
]

const user = { user_id: 'ada', targetingKey: 'ada', context: { targetingKey: 'ada', country: 'CA' } }
const events = [{ type: 'purchase' }, { type: '' }, { type: 'variableEvaluated', target: 'plain' }]
const valid = JSON.stringify({
  ...user,
  events: events.slice(0, 1),
  user: { user_id: 'ada', platform: 'web' },
  batch: [{ user: { user_id: 'ada', privateCustomData: { userHash: 'x' } }, events }]
})
const json = ['content-type', 'application/json'] as const
const withKey = (key = keyOf('server')) => [['authorization', key], json] as const

const bodies: Readonly<Record<string, string | Buffer>> = {
  valid,
  'no user': '{}',
  'a blank id': '{"user_id":" ","context":{"targetingKey":" "}}',
  'an empty id': '{"user_id":"","context":{"targetingKey":""}}',
  'an id of a wrong type': '{"user_id":1,"context":{"targetingKey":1}}',
  'a long id': JSON.stringify({ user_id: 'x'.repeat(201), context: { targetingKey: 'x'.repeat(201) } }),
  'an id that is too long': JSON.stringify({
    user_id: 'x'.repeat(16_385),
    context: { targetingKey: 'x'.repeat(16_385) }
  }),
  'every attribute': JSON.stringify({
    ...{ user_id: 'é', email: 'a@b.c', name: null, language: 'en', country: 'CA', appVersion: '1.2.3', appBuild: '12' },
    ...{ platform: 'iOS', platformVersion: '1', deviceModel: 'x', sdkType: 'api', isAnonymous: 'false', unknown: [1] },
    customData: '{"plan":"pro"}',
    privateCustomData: { seats: 1, userHash: 'x' },
    context: { targetingKey: 'é', customData: { plan: 'pro' }, list: [1, { a: null }], country: 5 }
  }),
  'unknown country': '{"user_id":"ada","country":"XX","language":"xx"}',
  'nested custom data': '{"user_id":"ada","customData":{"a":{}}}',
  'nothing else than a context': '{"context":null}',
  'a context that is a list': '{"user_id":"ada","context":[]}',
  'a list': '[]',
  null: 'null',
  'a text': '"text"',
  'text after the body': `${valid} x`,
  'cut off': valid.slice(0, -1),
  'white space': '  \n ',
  'white space around': `\n ${valid}\t`,
  'a byte order mark': `\ufeff${valid}`,
  'repeated members': `{"user_id":"bob",${valid.slice(1)}`,
  'a reserved member': '{"user_id":"ada","__proto__":{"country":"CA"},"context":{"targetingKey":"a","constructor":1}}',
  'half of a surrogate pair': '{"user_id":"\\ud800","context":{"targetingKey":"\\ud800"}}',
  NUL: '{"user_id":"a\\u0000","context":{"targetingKey":"a\\u0000"}}',
  'a number without bounds': '{"user_id":"ada","appBuild":1e999,"context":{"targetingKey":"a","n":1e999}}',
  'the deepest lists': nested(32),
  'lists that are one level deeper': nested(33),
  'many brackets in a text': JSON.stringify({ ...user, name: '[{'.repeat(100) }),
  'no list of events': '{"user":{"user_id":"ada"},"events":{},"batch":{}}',
  'an event of wrong members': JSON.stringify(
    withEvents({ type: 1, target: 2, date: 'x', value: '1', featureVars: [], metaData: 3, other: [[]] })
  ),
  'an event with reserved names': `{"user":{"user_id":"a"},"events":[{"type":"x","metaData":{"__proto__":1}}],"batch":[]}`,
  'an event with escaped texts': `{"user":{"user_id":"a\\u0000"},"events":[{"type":"\\ud800"}],"batch":[{"user":{"user_id":"a"},"events":[{"type":"\\ud800"}]}]}`,
  'an event with a number without bounds': '{"user":{"user_id":"a"},"events":[{"type":"x","value":1e999}],"batch":[]}',
  'an event with deep metadata': `{"user":{"user_id":"a"},"events":[{"type":"x","metaData":${'{"a":'.repeat(40)}1${'}'.repeat(41)}],"batch":[]}`,
  'deep lists that a repeated member replaces': `{"events":${'['.repeat(80)}${']'.repeat(80)},${valid.slice(1)}`,
  'many users': JSON.stringify({
    batch: Array.from({ length: 50 }, (_, id) => ({ ...withEvents(...events), user: { user_id: `u${id}` } }))
  }),
  'deep lists': `{"user_id":"ada","x":${'['.repeat(200)}${']'.repeat(200)}}`,
  'many members': JSON.stringify({ user_id: 'ada', context: Object.fromEntries(numbered(1001)) }),
  'too many members': JSON.stringify(Object.fromEntries(numbered(10_500))),
  'invalid UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  large: JSON.stringify({
    ...user,
    customData: Object.fromEntries(numbered(900).map(([name]) => [name, 'x'.repeat(90)]))
  }),
  'too large': `{"user_id":"${'x'.repeat(1024 * 1024)}"}`,
  'a password that is no JSON': '{"password": secret}'
}

/** Returns a body with this many levels. */
function nested(levels: number): string {
  const lists = levels - 1
  return `{"user_id":"ada","context":{"targetingKey":"ada"},"x":${'['.repeat(lists)}${']'.repeat(lists)}}`
}

function withEvents(...events: readonly object[]): object {
  return { user: { user_id: 'ada' }, events, batch: [{ user: { user_id: 'ada' }, events }] }
}

function numbered(count: number): [string, number][] {
  return Array.from({ length: count }, (_, index) => [`a${index}`, index])
}

const requests: Readonly<Record<string, Sent>> = {
  ...Object.fromEntries(Object.entries(bodies).map(([title, body]) => [title, { headers: withKey(), body }])),
  'no body': { headers: withKey() },
  'no key': { headers: [json], body: valid },
  'an unknown key': { headers: withKey('server-nobody'), body: valid },
  'a damaged key': { headers: withKey(`server-burgee_${'a'.repeat(49)}`), body: valid },
  'an access token': { headers: withKey('eyJh.eyJz.abc'), body: valid },
  'a bearer key': { headers: withKey(`Bearer ${keyOf('server')}`), body: valid },
  'a bearer key with spaces': { headers: withKey(`bearer   ${keyOf('server')} `), body: valid },
  'Bearer alone': { headers: withKey('Bearer'), body: valid },
  'a client key': { headers: withKey(keyOf('client')), body: valid },
  'a mobile key': { headers: withKey(keyOf('mobile')), body: valid },
  'two keys': { headers: [...withKey(), ['Authorization', keyOf('server')]], body: valid },
  'a key in another header': { headers: [['x-api-key', ` ${keyOf('client')}`], json], body: valid },
  'a wrong key beside one in another header': {
    headers: [...withKey('server-nobody'), ['x-api-key', keyOf('server')]],
    body: valid
  },
  'a client key of signed users': { headers: withKey(keyOf('client', 'signed')), body: valid },
  'a server key of signed users': { headers: withKey(keyOf('server', 'signed')), body: valid },
  'a signature': { headers: [...withKey(), ['x-burgee-user-hash', 'aa']], body: valid },
  'an origin': { headers: [...withKey(), ['origin', 'https://app.example.com']], body: valid },
  'a cookie': { headers: [...withKey(), ['cookie', 'burgee_session=x']], body: valid },
  'an id of a proxy': { headers: [...withKey(), ['x-request-id', 'from-the-proxy']], body: valid },
  'an unsafe id': { headers: [...withKey(), ['x-request-id', 'a b']], body: valid },
  'every ETag': { headers: [...withKey(), ['if-none-match', '*']], body: valid },
  'other ETags': { headers: [...withKey(), ['if-none-match', '"a", W/"b"']], body: valid },
  'a date': { headers: [...withKey(), ['if-modified-since', new Date(0).toUTCString()]], body: valid },
  'an event id': { headers: [...withKey(), ['last-event-id', '1']], body: valid },
  'a charset': { headers: [withKey()[0], ['content-type', 'Application/JSON; charset=UTF-8']], body: valid },
  'another charset': { headers: [withKey()[0], ['content-type', 'application/json; charset=latin1']], body: valid },
  'another JSON type': { headers: [withKey()[0], ['content-type', 'application/problem+json']], body: valid },
  'a text type': { headers: [withKey()[0], ['content-type', 'text/plain']], body: valid },
  'no type': { headers: [withKey()[0]], body: valid },
  gzip: { headers: [...withKey(), ['content-encoding', 'gzip']], body: gzipSync(valid) },
  'no gzip in spite of the header': { headers: [...withKey(), ['content-encoding', 'gzip']], body: valid },
  'an unknown encoding': { headers: [...withKey(), ['content-encoding', 'zstd']], body: valid },
  chunks: { headers: withKey(), body: valid, isChunked: true },
  'an idempotency key': { headers: [...withKey(), ['idempotency-key', 'a']], body: valid },
  'an idempotency key and a deep body': {
    headers: [...withKey(), ['idempotency-key', 'a']],
    body: `{"user":${'['.repeat(80)}${']'.repeat(80)}}`
  },
  'a long idempotency key': { headers: [...withKey(), ['idempotency-key', 'a'.repeat(257)]], body: valid },
  'two idempotency keys': {
    headers: [...withKey(), ['idempotency-key', 'a'], ['Idempotency-Key', 'b']],
    body: valid
  },
  GET: { headers: withKey(), method: 'GET' },
  PUT: { headers: withKey(), method: 'PUT', body: valid },
  OPTIONS: {
    headers: [
      ['origin', 'https://a.example'],
      ['access-control-request-method', 'POST']
    ],
    method: 'OPTIONS'
  }
}

/** Returns the bytes of a request. */
function toBytes(path: string, { headers = [], body, isChunked, method = 'POST' }: Sent, connection = 'close'): Buffer {
  const size = body === undefined ? 0 : Buffer.byteLength(body)
  const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${size}`
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    `connection: ${connection}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [length])
  ]
  const content = Buffer.from(body ?? '')
  const sent = isChunked
    ? Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), content, Buffer.from('\r\n0\r\n\r\n')])
    : content
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), sent])
}

/** Returns a response without what differs between any two. */
function normalize(response: string): string {
  return response
    .replace(/^x-request-id: [\da-f-]{36}\r$/gim, 'x-request-id: …\r')
    .replace(/^Date: .*\r$/gim, 'Date: …\r')
    .replace(/for request id [\da-f-]{36}/, 'for request id …')
}

async function answer(path: string, request: Sent): Promise<string> {
  return normalize(await sendBytes(server, toBytes(path, request)))
}

describe('the fast path and the application respond with the same bytes', () => {
  it.each(paths)('to requests for %s', async (path) => {
    const [fast, application]: Record<string, string>[] = [{}, {}]
    for (const [title, request] of [
      ['valid', requests.valid!] as const,
      ...sample(Object.entries(requests), 30, path)
    ]) {
      fast![title] = await answer(path, request)
      application![title] = await answer(`${path}?`, request)
    }
    expect(fast!.valid).toMatch(/^HTTP\/1.1 \d{3} /)
    expect(fast).toEqual(application)
  })

  it.each(['network', 'expired', 'origin'] as const)('to a key with a restricted %s', async (kind) => {
    for (const path of ['/v1/variables', '/ofrep/v1/evaluate/flags']) {
      for (const [address, origin] of [
        ['192.0.2.7', 'https://app.example.com'],
        ['198.51.100.1', 'https://other.example.com'],
        ['not an address', 'null']
      ] as const) {
        const headers = [
          ...withKey(restricted[kind]),
          ['x-forwarded-for', `1.1.1.1, ${address}`],
          ['origin', origin]
        ] as const
        expect(await answer(path, { headers, body: valid })).toBe(await answer(`${path}?`, { headers, body: valid }))
      }
    }
  })

  it('to the ETag of a bulk evaluation', async () => {
    const path = '/ofrep/v1/evaluate/flags'
    const [, etag = ''] = /^etag: (.*)\r$/m.exec(await answer(path, { headers: withKey(), body: valid })) ?? []
    expect(etag).toMatch(/^".+"$/)
    for (const known of [etag, `W/${etag}`, etag.slice(1, -1), `"a", ${etag}`]) {
      const request = { headers: [...withKey(), ['if-none-match', known]], body: valid } as const
      const response = await answer(path, request)
      expect(response).toMatch(/^HTTP\/1.1 304 Not Modified\r\n/)
      expect(response).toBe(await answer(`${path}?`, request))
    }
    const newer = etag.replace(/\d+/, (seconds) => String(Number(seconds) + 1000))
    const request = { headers: [...withKey(), ['if-none-match', newer]], body: valid } as const
    expect(await answer(path, request)).toBe(await answer(`${path}?`, request))
  })

  it('to pipelined requests, in their order', async () => {
    const sequence = [valid, '{', '{}', valid, 'null', valid]
    const pipelined = (suffix: string) => {
      const all = paths.flatMap((path) =>
        sequence.map((body) => toBytes(`${path}${suffix}`, { headers: withKey(), body }, 'keep-alive'))
      )
      return sendBytes(server, Buffer.concat([...all, toBytes(`/v1/variables${suffix}`, requests.valid ?? {})]))
    }
    const fast = normalize(await pipelined(''))
    expect(fast.match(/HTTP\/1.1 \d{3} /g)).toHaveLength(paths.length * sequence.length + 1)
    expect(fast).toBe(normalize(await pipelined('?')))
  })

  it('to a body that arrives byte by byte, and to one whose key is replaced meanwhile', async () => {
    const key = await generate({})
    const [whole, parts] = await Promise.all([
      answer('/v1/variables', { headers: withKey(key), body: valid }),
      inParts(toBytes('/v1/variables', { headers: withKey(key), body: valid }))
    ])
    expect(parts).toBe(whole)
    const invalidate = () =>
      call(server, 'invalidateSdkKey', { params: { project: 'shop', environment: 'production', key } })
    const refused = await inParts(toBytes('/v1/variables', { headers: withKey(key), body: valid }), invalidate)
    expect(refused).toMatch(/^HTTP\/1.1 401 /)
    expect(refused).toBe(await answer('/v1/variables?', { headers: withKey(key), body: valid }))
    expect(refused).toBe(await answer('/v1/variables', { headers: withKey(key), body: valid }))
  })
})

it('a key that was accepted is refused once it has expired', async () => {
  const at = server.clock.now()
  const key = await generate({ expiresAt: new Date(at + 60_000).toISOString() })
  const request = { headers: withKey(key), body: valid }
  expect(await answer('/v1/variables', request)).toMatch(/^HTTP\/1.1 200 /)
  server.clock.now = () => at + 60_001
  const refused = await answer('/v1/variables', request)
  server.clock.now = () => at
  expect(refused).toMatch(/^HTTP\/1.1 401 /)
})

it('a slow client receives all responses', async () => {
  const count = 1_000
  const text = 'é'.repeat(20_000)
  const verbose = await serve({
    features: [{ key: 'verbose', variables: { text: 'String' }, variations: { a: { text } } }]
  })
  const path = '/v1/variables/text'
  const request = toBytes(path, { headers: withKey(), body: valid }, 'keep-alive')
  const last = toBytes(path, { headers: withKey(), body: valid })
  const socket = connect({ port: verbose.port, host: '127.0.0.1' })
  socket.write(Buffer.concat([...Array.from({ length: count - 1 }, () => request), last]))
  let before = 0
  await vi.waitFor(async () => {
    const answered = await countAnswers(verbose)
    const isWaiting = answered > 0 && answered === before
    before = answered
    expect(isWaiting).toBe(true)
  })
  expect(before).toBeLessThan(count)
  let received = ''
  for await (const chunk of socket.setEncoding('utf8')) received += chunk
  expect(received.split('HTTP/1.1 200 OK')).toHaveLength(count + 1)
  expect(received.split(`"${text}"`)).toHaveLength(count + 1)
})

async function countAnswers(counting: TestServer): Promise<number> {
  const { body } = await send(counting, { path: '/metrics' })
  const counted = /^burgee_http_request_duration_seconds_count\{operation="evaluateVariable".* (\d+)$/m.exec(
    String(body)
  )
  return Number(counted?.[1] ?? 0)
}

/** Sends all but the end of a request in small parts, then the end after `meanwhile`. */
function inParts(bytes: Buffer, meanwhile: () => Promise<unknown> = async () => {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true })
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(normalize(text)))
    const write = (start: number) => {
      if (start < bytes.length - 20) {
        const end = Math.min(start + 25, bytes.length - 20)
        socket.write(bytes.subarray(start, end), () => setImmediate(write, end))
      } else meanwhile().then(() => socket.write(bytes.subarray(start)), reject)
    }
    write(0)
  })
}

it('the fast path and the application count the same: requests by status, evaluations by outcome', async () => {
  const served = await Promise.all(
    ['', '?'].map(async (suffix) => {
      const counting = await serve(plan)
      for (const path of paths) {
        for (const body of [valid, '{}', '{', 'null']) {
          await sendBytes(counting, toBytes(`${path}${suffix}`, { headers: withKey(), body }))
        }
        await cutOff(counting, toBytes(`${path}${suffix}`, { headers: withKey(), body: valid }))
      }
      return counting
    })
  )
  const counters = async (counting: TestServer) => {
    const { body } = await send(counting, { path: '/metrics' })
    const lines = String(body).matchAll(/^burgee_(?:http_request_duration_seconds_count|evaluations_total)\{.*$/gm)
    return [...lines].map(([line]) => line).filter((line) => !line.includes('operation="none"'))
  }
  // Six valid keys of variables; four flags, with a valid body and without a context; an event in a batch.
  const evaluated = 6 + 4 * 2 + 1
  await vi.waitFor(
    async () => {
      const [fast, application] = await Promise.all(served.map(counters))
      const evaluations = fast!.filter((line) => line.startsWith('burgee_evaluations_total'))
      expect(evaluations.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)).toBe(evaluated)
      expect(fast).toEqual(application)
    },
    { timeout: 60_000, interval: 200 }
  )
})

/** Sends a request without its last byte, and closes the connection. */
function cutOff({ port }: TestServer, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes.subarray(0, -1), () => setImmediate(() => socket.destroy()))
    })
    socket.on('close', () => resolve())
  })
}

describe('the rate limit', () => {
  it('counts each request once, with a valid body and with an invalid one', async () => {
    const limited = await serve({ features: [{ key: 'plain' }] }, { ofrepRateLimit: 6 })
    const statuses: number[] = []
    for (const body of [valid, '{', '[]', '{"context":[]}', valid, valid, valid, '{']) {
      const { status, headers } = await send(limited, {
        method: 'POST',
        path: '/ofrep/v1/evaluate/flags/plain',
        headers: { authorization: keyOf('server'), 'content-type': 'application/json' },
        body
      })
      statuses.push(status)
      if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
    expect(statuses).toEqual([200, 400, 400, 400, 200, 200, 429, 429])
  })
})

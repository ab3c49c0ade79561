import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import {
  type ApiResponse,
  call,
  type RawRequest,
  send,
  sendBytes,
  serve,
  type TestServer
} from '@burgee/testing/harness'
import { idOf, keyOf } from '@burgee/testing/plan'
import { sample } from '@burgee/testing/scale'
import { storedData } from '@burgee/testing/storedData'
import { cpuTime } from '@burgee/testing/system/cpuTime'
import { afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import vectors from '../../../../core/test/vectors/user-validation.json' with { type: 'json' }
import { eventsOf } from '../../support/events/storedEvents.ts'

let server: TestServer
let before: string

beforeAll(async () => {
  server = await serve({
    settings: { edgeDB: { enabled: true }, optIn: { enabled: true } },
    features: [{ key: 'plain', isOptIn: true }]
  })
})

beforeEach(async () => {
  before = await stored()
})

afterEach(async () => {
  expect((await send(server, { path: '/livez' })).status).toBe(200)
  expect(await stored()).toBe(before)
  expect(Object.prototype).not.toHaveProperty('polluted')
})

/** All files of the server except the evaluation counts, which grow with every request. */
async function stored(): Promise<string> {
  const files = ['history.jsonl', 'users.jsonl'].map((name) => readFile(join(server.directory, name), 'utf8'))
  return [
    JSON.stringify(await storedData(server.directory)),
    ...(await Promise.all(files)),
    JSON.stringify(await eventsOf(server))
  ].join('\n')
}

const large = Buffer.from(`{"user_id":"${'x'.repeat(20_000_000)}"}`)
const deep = `{"user_id":"ada","context":{"targetingKey":"ada"},"deep":${'['.repeat(31)}${']'.repeat(31)}}`
const bombs: [string, Buffer][] = [
  ['gzip', gzipSync(Buffer.alloc(100_000_000, 32))],
  ['br', brotliCompressSync(Buffer.alloc(20_000_000, 32))]
]

/** A target of a body, and how the body contains a value. */
const surfaces = {
  bucketing: {
    path: '/v1/variables',
    method: 'POST',
    around: (json: string) => `{"user_id":"ada","customData":{"a":${json}}}`
  },
  track: {
    path: '/v1/track',
    method: 'POST',
    around: (json: string) => `{"user":{"user_id":"ada"},"events":[{"type":"x","metaData":{"a":${json}}}]}`
  },
  edge: {
    path: '/v1/edgedb/ada',
    method: 'PATCH',
    around: (json: string) => `{"user_id":"ada","customData":{"a":${json}}}`
  },
  optIn: { path: '/v1/optIns/ada', method: 'PUT', around: (json: string) => `{"${idOf('plain')}":true,"a":${json}}` },
  'ofrep single': {
    path: '/ofrep/v1/evaluate/flags/plain',
    method: 'POST',
    around: (json: string) => `{"context":{"targetingKey":"ada","a":${json}}}`
  },
  'ofrep bulk': {
    path: '/ofrep/v1/evaluate/flags',
    method: 'POST',
    around: (json: string) => `{"context":{"targetingKey":"ada","a":${json}}}`
  }
} as const
type Surface = keyof typeof surfaces
const names = Object.keys(surfaces) as Surface[]

function ask(surface: Surface, sent: Omit<RawRequest, 'path' | 'method'>): Promise<ApiResponse> {
  const { path, method } = surfaces[surface]
  const headers = { authorization: keyOf('server'), 'content-type': 'application/json', ...sent.headers }
  return send(server, { path, method, ...sent, headers })
}

/** Expects an error in the format of the surface; returns its message. */
function refusal(path: string, { status, headers, body }: ApiResponse, expected: number): string {
  expect(status).toBe(expected)
  expect(headers['content-type']).toMatch(/^application\/json/)
  if (status === 413) expect(headers).toMatchObject({ 'retry-after': '3600', 'retry-later': expect.any(String) })
  if (!path.startsWith('/ofrep/')) {
    expect(body).toEqual({ statusCode: status, message: expect.any(String) })
    return body.message
  }
  const isSingle = /flags\/./.test(path)
  expect(Object.keys(body)).toEqual([...(isSingle ? ['key'] : []), 'errorCode', 'errorDetails'])
  return body.errorDetails
}

/** Sends an invalid request, and expects this error soon. */
async function expectRefusal(
  surface: Surface,
  sent: Omit<RawRequest, 'path' | 'method'>,
  status: number,
  says: string | RegExp
): Promise<void> {
  let message = ''
  const work = async () => {
    message = refusal(surfaces[surface].path, await ask(surface, sent), status)
  }
  expect(await cpuTime(work)).toBeLessThan(2_000)
  if (typeof says === 'string') expect(message).toContain(says)
  else expect(message).toMatch(says)
}

interface Judged {
  readonly input: object
  readonly ok: boolean
  readonly errors?: readonly { readonly property: string }[]
}

const users: readonly Judged[] = vectors.apiUser
const reports: readonly Judged[] = vectors.trackBody

function propertiesOf({ input, errors }: Judged): string[] {
  // Where the reference implementation fails to convert a member, it lists none: the one that is not user_id.
  const listed = errors?.map(({ property }) => property) ?? Object.keys(input).filter((name) => name !== 'user_id')
  return [...new Set(listed)]
}

it.each([
  ['bucketing', '{"user_id":"bob","user_id":"ada"}'],
  ['ofrep bulk', '{"context":{"targetingKey":"bob","targetingKey":"ada"}}']
] as const)('%s accepts repeated members, which SDKs could always send', async (surface, body) => {
  expect((await ask(surface, { body })).status).toBe(200)
})

describe('every user of the vectors is accepted or refused as listed', () => {
  it('and the vectors have 38 users', () => {
    expect(users).toHaveLength(38)
  })

  test.each(users.map((judged) => [JSON.stringify(judged.input).slice(0, 80), judged] as const))(
    '%s',
    async (_, judged) => {
      for (const id of ['evaluateVariables', 'evaluateFeatures', 'evaluateVariable'] as const) {
        const { status, body } = await call(server, id, { params: { key: 'plain' }, body: judged.input })
        expect(status).toBe(judged.ok ? 200 : 400)
        if (!judged.ok)
          for (const property of propertiesOf(judged)) expect(body.message).toMatch(new RegExp(`\\b${property}\\b`))
      }
    }
  )

  it('names both the member and the value', async () => {
    const { body } = await call(server, 'evaluateVariables', { body: { user_id: 'ada', country: 'CAN', platform: 5 } })
    expect(body.message).toMatch(/^country should .*, got "CAN"; .*platform should be a string, got 5$/)
  })
})

describe('every report of the vectors is accepted or refused as listed', () => {
  it('and the vectors have 11 reports', () => {
    expect(reports).toHaveLength(11)
  })

  test.each(reports.map((judged) => [JSON.stringify(judged.input), judged] as const))('%s', async (_, judged) => {
    const { status, body } = await call(server, 'track', { body: judged.input })
    expect(status).toBe(judged.ok ? 201 : 400)
    if (!judged.ok)
      for (const property of propertiesOf(judged)) expect(body.message).toMatch(new RegExp(`\\b${property}\\b`))
    if (judged.ok) before = await stored()
  })
})

describe.each(sample(names, 2, 'invalid bodies'))('%s refuses', (surface) => {
  const { around } = surfaces[surface]
  const sound = around('"b"')

  test.each([
    '{',
    '{"user_id":',
    "{'user_id':'a'}",
    'undefined',
    'NaN',
    '{"a":1,}',
    '{} x',
    '// no',
    '{"a":"\n"}',
    '\u0000'
  ])('invalid JSON: %j', (body) => expectRefusal(surface, { body }, 400, 'the body is not JSON'))

  test.each(['', '   ', '\r\n'])('an empty body: %j', (body) =>
    expectRefusal(surface, { body }, 400, 'the body is empty')
  )

  test.each(['null', '5', '"text"', '[]', 'true'])('JSON that is not an object: %s', (body) => {
    return expectRefusal(surface, { body }, 400, /^the body should be an? (object|record), got/)
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/octet-stream',
    'json'
  ])('the content type %s', (type) =>
    expectRefusal(surface, { body: sound, headers: { 'content-type': type } }, 415, `got ${type.split(';')[0]}`)
  )

  it('no content type', () => expectRefusal(surface, { body: sound, headers: { 'content-type': '' } }, 415, 'got none'))

  test.each(['zstd', 'compress', 'gzip, gzip', 'nonsense'])('the encoding %s', (encoding) => {
    return expectRefusal(surface, { body: sound, headers: { 'content-encoding': encoding } }, 415, encoding)
  })

  test.each(['gzip', 'deflate', 'br'])('%s data that is invalid', (encoding) => {
    return expectRefusal(surface, { body: sound, headers: { 'content-encoding': encoding } }, 400, encoding)
  })

  test.each([
    ['gzip', gzipSync(sound)],
    ['deflate', deflateSync(sound)],
    ['br', brotliCompressSync(sound)]
  ])('%s data that is truncated', (encoding, body) => {
    const headers = { 'content-encoding': encoding }
    return expectRefusal(surface, { body: body.subarray(0, -3), headers }, 400, encoding)
  })

  test.each(bombs)('a %s bomb', (encoding, body) => {
    return expectRefusal(surface, { body, headers: { 'content-encoding': encoding } }, 413, 'larger than')
  })

  it('a body of 20 MB', () => expectRefusal(surface, { body: large }, 413, 'larger than'))
  it('a body of 20 MB in chunks', () => expectRefusal(surface, { body: large, isChunked: true }, 413, 'larger than'))
  it('a body of 20 MB that is not JSON', () =>
    expectRefusal(surface, { body: Buffer.alloc(20_000_000, 'x') }, 413, 'larger than'))

  test.each([
    ['lists', around(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
    ['objects', around(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)],
    ['lists that never close', '['.repeat(100_000)],
    ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`]
  ])('nesting without an end: %s', (_, body) => expectRefusal(surface, { body }, 400, 'nests deeper than 32 levels'))

  test.each([
    ['__proto__', '"__proto__"'],
    ['constructor', '"constructor"'],
    ['prototype', '"prototype"'],
    ['__proto__', '"\\u005f\\u005fproto\\u005f\\u005f"'],
    ['constructor', '"const\\u0072uctor"'],
    ['prototype', '"\\u0070rototype"']
  ])('the member %s, spelled %s, at any depth', async (name, spelled) => {
    const member = `${spelled}:{"polluted":true}`
    for (const body of [
      `{${member}}`,
      sound.replace('{', `{${member},`),
      around(`{${member}}`),
      around(`[[{${member}}]]`)
    ]) {
      await expectRefusal(surface, { body }, 400, `a member named "${name}"`)
    }
  })

  test.each([
    ['a stray byte', [0xff]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a cut sequence', [0xe2, 0x82]],
    ['a surrogate', [0xed, 0xa0, 0x80]]
  ])('invalid UTF-8: %s', (_, bytes) => {
    const [head = '', tail = ''] = around('"@"').split('@')
    const body = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)])
    return expectRefusal(surface, { body }, 400, 'not valid UTF-8')
  })

  test.each(['1e999', '-1e999', '9'.repeat(400), `${'9'.repeat(300)}e10`])('the number %s', (number) => {
    return expectRefusal(surface, { body: around(number) }, 400, 'a should be a number up to')
  })

  test.each(['"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"'])(
    'the text %s, which cannot be stored unchanged',
    (text) => {
      return expectRefusal(
        surface,
        { body: around(text) },
        400,
        `a should have neither NUL nor half a surrogate pair, got ${text}`
      )
    }
  )
})

describe.each(['bucketing', 'ofrep single', 'ofrep bulk'] as const)('%s still accepts', (surface) => {
  const { around } = surfaces[surface]

  test.each([
    ['the names of objects as values', { body: around('"__proto__ constructor prototype"') }],
    ['escapes', { body: around('"\\u0041\\ud83d\\ude00"') }],
    ['the largest number', { body: around('1.7976931348623157e308') }],
    ['members of 32 levels', { body: deep }],
    ['the depth of a text', { body: around(JSON.stringify('['.repeat(100))) }],
    ['gzip', { body: gzipSync(around('1')), headers: { 'content-encoding': 'gzip' } }],
    ['deflate', { body: deflateSync(around('1')), headers: { 'content-encoding': 'deflate' } }],
    ['br', { body: brotliCompressSync(around('1')), headers: { 'content-encoding': 'br' } }],
    ['identity', { body: around('1'), headers: { 'content-encoding': 'identity' } }],
    ['a charset', { body: around('1'), headers: { 'content-type': 'Application/JSON; charset=utf-8' } }],
    ['chunks', { body: around('1'), isChunked: true }],
    ['900 kB', { body: `${around('1')}${' '.repeat(900_000)}` }]
  ])('%s', async (_, sent) => {
    expect((await ask(surface, sent)).status).toBe(200)
  })
})

describe('a key in the address', () => {
  const authorization = keyOf('server')
  const post = (path: string, body = '{"user_id":"ada"}') => {
    return send(server, { method: 'POST', path, headers: { authorization, 'content-type': 'application/json' }, body })
  }

  test.each([
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['prototype', 'prototype'],
    ['.', '.'],
    ['..', '..'],
    ['%2e%2e', '..'],
    ['%5F%5Fproto%5F%5F', '__proto__'],
    ['UPPER', 'UPPER'],
    ['a%20b', 'a b'],
    ['%C3%BC', 'ü'],
    ['a%2Fb', 'a/b'],
    ['..%2F..%2Fetc', '../../etc'],
    ['%27%20OR%201=1', "' OR 1=1"],
    ['x'.repeat(101), 'x'.repeat(70)],
    ['x'.repeat(8_000), 'x'.repeat(70)]
  ])('is refused if it is invalid: %s', async (spelled, key) => {
    const path = `/v1/variables/${spelled}`
    expect(refusal(path, await post(path), 400)).toMatch(/^key (should|is) /)
    expect((await post(path)).body.message).toContain(`got ${JSON.stringify(key).slice(0, 70)}`)
    const flag = await post(`/ofrep/v1/evaluate/flags/${spelled}`, '{"context":{"targetingKey":"ada"}}')
    expect(flag.status).toBe(404)
    expect(flag.body.errorCode).toBe('FLAG_NOT_FOUND')
    expect(flag.body.key).toBe(decodeURIComponent(spelled))
  })

  test.each(['%', '%z', '%zz', '%ff', '%E0%A4%A', '%ED%A0%80', 'a%00b'])(
    'is refused if it cannot be decoded: %s',
    async (spelled) => {
      const places: [string, string, string][] = [
        ['POST', `/v1/variables/${spelled}`, '{"user_id":"ada"}'],
        ['POST', `/ofrep/v1/evaluate/flags/${spelled}`, '{"context":{"targetingKey":"ada"}}'],
        ['PATCH', `/v1/edgedb/${spelled}`, JSON.stringify({ user_id: spelled })],
        ['PUT', `/v1/optIns/${spelled}`, `{"${idOf('plain')}":true}`]
      ]
      for (const [method, path, body] of places) {
        const answer = await send(server, {
          method,
          path,
          body,
          headers: { authorization, 'content-type': 'application/json' }
        })
        expect(refusal(path, answer, 400)).toContain(spelled)
      }
      const query = await send(server, { path: `/v1/optInConfig?user_id=${spelled}`, headers: { authorization } })
      expect(refusal('/v1/optInConfig', query, 400)).toContain(spelled)
    }
  )

  test.each([
    ['POST', '/v1/variables?enableEdgeDB=true&enableEdgeDB=true', 'enableEdgeDB'],
    ['POST', '/v1/variables?enableEdgeDB=perhaps', 'enableEdgeDB'],
    ['POST', '/v1/variables?enableEdgeDB=', 'enableEdgeDB'],
    ['POST', '/v1/variables/plain?enableEdgeDB=true&enableEdgeDB=false', 'enableEdgeDB'],
    ['GET', '/v1/optInConfig?user_id=ada&user_id=grace', 'user_id'],
    ['GET', '/v1/optInConfig?user_id=', 'user_id'],
    ['GET', '/v1/optInConfig?user_id=%20', 'user_id'],
    ['GET', '/v1/optInConfig?user_id=ada&sdkKey=a&sdkKey=b', 'sdkKey'],
    ['PATCH', '/v1/edgedb/ada?sdkKey=a&sdkKey=b', 'sdkKey'],
    ['PATCH', '/v1/edgedb/%20', 'user_id'],
    ['PUT', '/v1/optIns/%20', 'user_id']
  ])('is refused with an invalid query parameter: %s %s', async (method, path, member) => {
    const body = method === 'GET' ? {} : { body: '{"user_id":"ada"}' }
    const answer = await send(server, {
      method,
      path,
      headers: { authorization, 'content-type': 'application/json' },
      ...body
    })
    expect(refusal(path, answer, 400)).toContain(member)
  })
})

describe('a malformed request', () => {
  const head = `POST /v1/variables HTTP/1.1\r\nhost: x\r\nauthorization: ${keyOf('server')}\r\ncontent-type: application/json\r\n`

  test.each([
    ['a header of 64 kB', `${head}x-large: ${'x'.repeat(65_536)}\r\n\r\n`, 431],
    [
      '3000 headers',
      `${head}${Array.from({ length: 3_000 }, (_, index) => `x-${index}: yyyyyyyy\r\n`).join('')}\r\n`,
      431
    ],
    ['an address of 64 kB', `GET /${'x'.repeat(65_536)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
    ['a length and chunks', `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`, 400],
    ['two lengths', `${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, 400],
    ['a negative length', `${head}content-length: -2\r\n\r\n{}`, 400],
    ['a broken chunk', `${head}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`, 400],
    ['an invalid URL', 'GET http://[bad/oauth/authorize HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 400],
    ['a URL of another scheme', 'GET ftp://x/livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 400],
    ['no HTTP', 'nonsense\r\n\r\n', 400],
    ['a header without a name', `GET / HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n`, 400],
    ['a TLS greeting', Buffer.from([0x16, 0x03, 0x01, 0x00, 0xa5, 0x01, 0x00, 0x00, 0xa1, 0x03, 0x03]), 400]
  ])('is refused, and its connection closed: %s', async (_, bytes, status) => {
    const begun = performance.now()
    const text = await sendBytes(server, bytes)
    // Idle connections are closed much later.
    expect(performance.now() - begun).toBeLessThan(20_000)
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n')))
    expect(body).toEqual({
      statusCode: status,
      message: expect.stringContaining('cannot be read'),
      error: STATUS_CODES[status]
    })
  })

  it('may have a whole URL as its target', async () => {
    const text = await sendBytes(server, 'GET http://x/livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('may end in the middle of its body', async () => {
    const controller = new AbortController()
    const half = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('{"user_id":')) })
    const headers = { authorization: keyOf('server'), 'content-type': 'application/json' }
    const request = fetch(`${server.url}/v1/variables`, {
      method: 'POST',
      headers,
      body: half,
      signal: controller.signal,
      duplex: 'half'
    } as RequestInit)
    setTimeout(() => controller.abort(), 50)
    await expect(request).rejects.toThrow()
    expect((await call(server, 'evaluateVariables', { body: { user_id: 'ada' } })).status).toBe(200)
  })
})

describe('a body that is too large', () => {
  const head = `POST /v1/variables HTTP/1.1\r\nhost: x\r\nauthorization: ${keyOf('server')}\r\ncontent-type: application/json\r\n`
  const next = Buffer.from('GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  const packed = gzipSync(randomBytes(20_000_000))

  test.each([
    ['of known length', `content-length: ${large.length}`, large],
    [
      'in one chunk',
      'transfer-encoding: chunked',
      Buffer.concat([Buffer.from(`${large.length.toString(16)}\r\n`), large, Buffer.from('\r\n0\r\n\r\n')])
    ],
    ['in gzip', `content-encoding: gzip\r\ncontent-length: ${packed.length}`, packed]
  ])(
    'is answered even if the caller reads only after sending all of it, and the connection stays open: %s',
    async (_, length, body) => {
      const answers = await sendBytes(server, Buffer.concat([Buffer.from(`${head}${length}\r\n\r\n`), body, next]))
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
    }
  )

  it('whose rest does not arrive closes the connection, so that the next request does not become the rest', async () => {
    const part = Buffer.from(`${head}content-length: ${large.length}\r\n\r\n{"user_id":`)
    const answers = await sendBytes(server, part)
    expect(answers).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\nconnection: close\r\n/i)
  })

  it('does not block other requests', async () => {
    const attempts = Array.from({ length: 8 }, () => ask('bucketing', { body: large, isChunked: true }))
    expect((await call(server, 'evaluateVariables', { body: { user_id: 'ada' } })).status).toBe(200)
    expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual(Array(8).fill(413))
  })
})

describe('a request with a great many issues', () => {
  const attributes = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [index.toString(36), []]))
  const few = Object.fromEntries(Object.entries(attributes).slice(0, 1000))
  const others = /; and \d+ more$/
  const many = /^customData should have at most 1000 members, got /
  const flat = /^customData should be an object of strings, numbers, booleans and nulls, got /

  test.each<['track' | 'evaluateVariables' | 'updateEdgeUser', string, object, RegExp]>([
    ['track', 'items', { user: { user_id: 'ada' }, events: Array(1000).fill(1) }, others],
    ['track', 'objects', { user: { user_id: 'ada' }, events: Array(1000).fill({}) }, others],
    ['evaluateVariables', 'attributes', { user_id: 'ada', customData: attributes }, many],
    ['evaluateVariables', 'wrong attributes', { user_id: 'ada', customData: few }, flat],
    ['evaluateVariables', 'private attributes', { user_id: 'ada', privateCustomData: attributes }, /^private.* 1000 /],
    ['updateEdgeUser', 'attributes', { user_id: 'ada', customData: attributes }, many],
    [
      'updateEdgeUser',
      'attributes as text',
      { user_id: 'ada', customData: JSON.stringify(attributes) },
      /1000 members/
    ],
    ['updateEdgeUser', 'languages', { user_id: 'ada', language: attributes }, /^language should have at most 1000 /]
  ])('%s reports some of the %s, in a short and fast response', async (id, _, wrong, says) => {
    const before = process.cpuUsage()
    const { status, body } = await call(server, id, { params: { user_id: 'ada' }, body: wrong })
    const { user, system } = process.cpuUsage(before)
    expect(user + system).toBeLessThan(3_000_000)
    expect(status).toBe(400)
    expect(body.message.length).toBeLessThan(2_000)
    expect(body.message).toMatch(says)
  })

  test.each<[string, object]>([
    ['members', { targetingKey: 'ada', ...attributes }],
    ['attributes', { targetingKey: 'ada', customData: attributes }],
    ['private attributes', { targetingKey: 'ada', privateCustomData: attributes }]
  ])('an OFREP context with a great many %s is refused with a short and fast response', async (_, context) => {
    for (const id of ['ofrepEvaluateFlag', 'ofrepEvaluateFlags'] as const) {
      const { status, body } = await call(server, id, { params: { key: 'plain' }, body: { context } })
      expect([status, body.errorCode]).toEqual([400, 'INVALID_CONTEXT'])
      expect(body.errorDetails).toMatch(/^context should have at most 1000 members, .{100,300}$/)
    }
  })

  test('is refused without validation when it has more than 100000 values', async () => {
    const { body } = await call(server, 'track', { body: { events: Array(100_001).fill(1) } })
    expect(body).toEqual({ statusCode: 400, message: 'the body has more than 100000 values' })
  })
})

describe('an error message', () => {
  test.each([
    [{ appBuild: 'abc' }, 'appBuild should be a number, got "abc"'],
    [{ createdDate: 'nope' }, 'createdDate should be epoch milliseconds or a date-time, got "nope"'],
    [{ customData: 5 }, 'customData should be an object of strings, numbers, booleans and nulls, got 5']
  ])('names the expected value for %j', async (member, message) => {
    const { body } = await call(server, 'evaluateVariables', { body: { user_id: 'ada', ...member } })
    expect(body.message).toBe(message)
  })

  test('names the type "object" for an object', async () => {
    const { body } = await call(server, 'updateOptIns', { params: { user_id: 'ada' }, body: [] })
    expect(body.message).toBe('the body should be an object, got []')
  })

  test.each(['utf-16', 'latin1'])('names the unsupported charset %s', async (charset) => {
    const headers = { 'content-type': `application/json; charset=${charset}` }
    const answer = await call(server, 'evaluateVariables', { body: { user_id: 'ada' }, headers })
    expect([answer.status, answer.body.message]).toEqual([415, `charset should be utf-8, got ${charset}`])
  })

  test('names a duplicate key', async () => {
    const path = `/v1/optInConfig?user_id=ada&sdkKey=${keyOf('server')}&sdkKey=${keyOf('server')}`
    const { status, body } = await send(server, { path })
    expect([status, body.message]).toEqual([400, 'sdkKey should be given once, got it several times'])
  })
})

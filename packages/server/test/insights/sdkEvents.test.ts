import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import {
  type ApiResponse,
  type Call,
  call,
  type RawRequest,
  send,
  serve,
  storeOnDisk,
  type TestServer
} from '@burgee/testing/harness'
import { idOf, keyOf, NOW } from '@burgee/testing/plan'
import { runs } from '@burgee/testing/scale'
import { storedText } from '@burgee/testing/storedData'
import { character } from '@burgee/testing/vitest/character'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { entriesOf, eventsOf, textOf } from '../support/events/storedEvents.ts'

// Recorded requests of unmodified SDKs.
const recorded = JSON.parse(readFileSync(new URL('../vectors/sdk-events.json', import.meta.url), 'utf8'))

let server: TestServer

beforeAll(async () => {
  server = await serve({
    settings: { obfuscation: { enabled: true, required: false } },
    environments: { production: {}, staging: {} },
    features: [{ key: 'plain' }]
  })
})

function sendOne(body: unknown, given: Call = {}): Promise<ApiResponse> {
  return call(server, 'sendEvents', { key: keyOf('client'), ...given, body })
}

function sendBatch(body: unknown, given: Call = {}): Promise<ApiResponse> {
  return call(server, 'sendEventBatches', { ...given, body })
}

/** Sends a raw body, because JSON can express what no JavaScript value can. */
function sendText(text: string, path = '/v1/events', headers: Record<string, string> = {}): Promise<ApiResponse> {
  const all = { authorization: keyOf('server'), 'content-type': 'application/json', ...headers }
  return send(server, { method: 'POST', path, headers: all, body: text })
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape.
type Kept = Record<string, any>

/** The events of a user in the server's log, read from the disk. */
async function keptOf(user_id: string, directory = server.directory): Promise<Kept[]> {
  return (await eventsOf({ directory }, JSON.stringify(user_id))).filter(({ user }) => user.user_id === user_id)
}

async function logSize(): Promise<number> {
  return Buffer.byteLength(await textOf(server))
}

/** Cases by their error message, which is shorter than they are. */
function byMessage<T>(cases: readonly (readonly [given: T, message: string])[]): [message: string, given: T][] {
  return cases.map(([given, message]) => [message, given])
}

/** An object whose members are all invalid as texts or attributes. */
function wrongMembers(count: number): string {
  return `{${Array.from({ length: count }, (_, index) => `"k${index}":[]`).join()}}`
}

/** Members of an object, whose names all differ. */
function manyMembers(count: number): string {
  return Array.from({ length: count }, (_, index) => `"k${index}":0`).join()
}

let names = 0

/** A user of this test only. */
function someone(): string {
  return `someone ${names++}`
}

describe('events of SDKs', () => {
  it('are accepted from the Node SDK, with its counts', async () => {
    const body = structuredClone(recorded.nodeSdk)
    const [counts, mine] = body.batch
    counts.user.user_id = someone()
    mine.user.user_id = someone()
    const answer = await sendBatch(body)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ message: 'Successfully received 8 events', accepted: 8, refused: 0, mistakes: [] })
    const sdk = { platform: 'NodeJS', sdkType: 'server', sdkVersion: '1.55.9' }
    expect(await keptOf(mine.user.user_id)).toEqual([
      {
        environment: idOf('production'),
        keyType: 'server',
        user: { user_id: mine.user.user_id, customData: { n: 1, s: 'x', b: true, z: null }, ...sdk },
        type: 'customEvent',
        customType: 'ev',
        target: 't',
        date: Date.parse('2026-11-20T13:42:53.177Z'),
        clientDate: Date.parse('2026-11-20T13:42:53.177Z'),
        value: 2,
        featureVars: { f1: 'v1' },
        metaData: { a: 1 },
        at: NOW
      }
    ])
    const downloads = counts.events.slice(0, 2)
    expect(await keptOf(counts.user.user_id)).toMatchObject(
      downloads.map(({ type, target, value, metaData }: Kept) => ({ type, target, value, metaData }))
    )
    // Its variables do not exist here.
    const { counts: counted, exposures } = (await entriesOf(server)).at(-1) ?? {}
    expect(counted).toEqual([{ platform: 'NodeJS', sdkType: 'server', count: 6 }])
    expect(exposures).toBeUndefined()
  })

  it('are accepted from the JS SDK', async () => {
    const body = structuredClone(recorded.jsClient)
    body.user.user_id = someone()
    const answer = await sendOne(body)
    expect([answer.status, answer.body.accepted, answer.body.refused]).toEqual([201, 4, 0])
    const [{ type, customType, target, clientDate, value, metaData, featureVars }] = body.events
    const event = { type, customType, target, clientDate, value, metaData, featureVars }
    const kept = await keptOf(body.user.user_id)
    const common = { environment: idOf('production'), at: NOW, keyType: 'client' }
    expect(kept).toEqual([{ ...event, ...common, user: expect.anything() }])
    expect([customType, kept[0]?.user.platform]).toEqual(['ev', 'web'])
    // Its variables do not exist here.
    const { counts, exposures } = (await entriesOf(server)).at(-1) ?? {}
    expect(counts).toEqual([{ platform: 'web', sdkType: 'client', count: 4 }])
    expect(exposures).toEqual([{ user_id: body.user.user_id, sdkType: 'client' }])
  })

  it('are accepted from the Node SDK with evaluation on the server', async () => {
    const body = structuredClone(recorded.cloudTrack)
    body.user.user_id = someone()
    expect((await call(server, 'track', { body })).status).toBe(201)
    expect(await keptOf(body.user.user_id)).toMatchObject([
      { type: 'ev', target: 't', value: 2, date: 1700000000000, metaData: { a: 1 }, user: { sdkType: 'server' } }
    ])
  })

  it('are stored with plain keys when they are obfuscated', async () => {
    const body = structuredClone(recorded.obfuscated)
    body.user.user_id = someone()
    const target = `dvc_obfs_${createHash('sha256').update(idOf('variable plain')).digest('hex')}`
    body.events = [{ ...body.events[0], target }, body.events[0]]
    await sendOne(body, { query: { obfuscated: '1' } })
    await sendOne(body)
    const variables = (await entriesOf(server)).slice(-2).map(({ counts }) => counts?.map(({ variable }) => variable))
    // The counts of an unknown variable have no key.
    expect(variables).toEqual([['plain', undefined], [undefined]])
  })

  test.each(['server', 'client', 'mobile'] as const)(
    'are accepted with a %s key, in the header or in the URL',
    async (type) => {
      const user_id = someone()
      const body = { user: { user_id }, events: [{ type: 'view' }] }
      expect((await sendOne(body, { key: keyOf(type) })).status).toBe(201)
      expect((await sendBatch({ batch: [body] }, { key: null, query: { sdkKey: keyOf(type) } })).status).toBe(201)
      expect(await keptOf(user_id)).toHaveLength(2)
    }
  )

  it('are accepted compressed', async () => {
    const user_id = someone()
    const body = gzipSync(JSON.stringify({ user: { user_id }, events: [{ type: 'view' }] }))
    const headers = { authorization: keyOf('client'), 'content-type': 'application/json', 'content-encoding': 'gzip' }
    expect((await send(server, { method: 'POST', path: '/v1/events', headers, body })).status).toBe(201)
    expect(await keptOf(user_id)).toHaveLength(1)
  })

  test.each<[string, unknown, number | undefined]>([
    ['a number', NOW, NOW],
    ['the text of a number', String(NOW), NOW],
    ['a date-time', '2026-03-01T12:00:00.000Z', NOW],
    ['a date-time elsewhere', '2026-03-01T13:00:00.000+01:00', NOW],
    ['nothing', '', undefined],
    ['null', null, undefined]
  ])('may have times as %s', async (_, moment, epoch) => {
    const user_id = someone()
    await sendOne({ user: { user_id }, events: [{ type: 'view', date: moment, clientDate: moment }] })
    const [event] = await keptOf(user_id)
    expect([event?.date, event?.clientDate]).toEqual([epoch, epoch])
  })

  it('may have null for absent members', async () => {
    const user_id = someone()
    const nothing = { customType: null, target: null, user_id: null, value: null, featureVars: null, metaData: null }
    const user = { user_id, customData: null, platform: null, sdkType: null, sdkVersion: null }
    expect((await sendOne({ user, events: [{ type: 'view', ...nothing }] })).body.accepted).toBe(1)
    const [event] = await keptOf(user_id)
    expect(Object.keys(event ?? {})).toEqual(['environment', 'at', 'keyType', 'user', 'type'])
  })
})

describe('an invalid event among valid ones', () => {
  const long = 'x'.repeat(1001)
  const reasons = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`REASON${index}`, 1]))
  const deep = JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`)
  const wide = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`feature ${index}`, 'v']))

  test.each(
    byMessage<string>([
      ['"purchase"', 'should be an object, got "purchase"'],
      ['7', 'should be an object, got 7'],
      ['null', 'should be an object, got null'],
      ['[]', 'should be an object, got []'],
      ['{}', 'type should be a string, got nothing'],
      ['{"type":null}', 'type should be a string, got null'],
      ['{"type":5}', 'type should be a string, got 5'],
      ['{"type":""}', 'type should not be empty, got ""'],
      [JSON.stringify({ type: long }), 'type should have at most 1000 characters'],
      [JSON.stringify({ type: 'x', target: long }), 'target should have at most 1000 characters'],
      ['{"type":"x","target":5}', 'target should be a string, got 5'],
      ['{"type":"x","customType":{}}', 'customType should be a string, got {}'],
      [JSON.stringify({ type: 'x', customType: long }), 'customType should have at most 1000 characters'],
      ['{"type":"x","user_id":5}', 'user_id should be a string, got 5'],
      ['{"type":"x","value":"5"}', 'value should be a number, got "5"'],
      ['{"type":"x","value":1e999}', 'value should be a number up to'],
      ['{"type":"x","date":true}', 'date should be epoch milliseconds or a date-time, got true'],
      ['{"type":"x","date":"soon"}', 'date should be epoch milliseconds or a date-time, got "soon"'],
      ['{"type":"x","clientDate":[]}', 'clientDate should be epoch milliseconds or a date-time, got []'],
      ['{"type":"x","featureVars":["v"]}', 'featureVars should be an object of at most 10000 strings'],
      ['{"type":"x","featureVars":{"f":5}}', 'featureVars should be an object of at most 10000 strings'],
      [JSON.stringify({ type: 'x', featureVars: wide }), 'featureVars should be an object of at most 10000 strings'],
      [`{"type":"x","metaData":{"list":[${'5,'.repeat(30_000)}5]}}`, 'it should have at most 30000 values'],
      ['{"type":"x","metaData":"rubbish"}', 'metaData should be an object, got "rubbish"'],
      ['{"type":"x","metaData":[1]}', 'metaData should be an object, got [1]'],
      [
        JSON.stringify({ type: 'x', metaData: { text: 'x'.repeat(40_000) } }),
        'metaData should take at most 32768 characters'
      ],
      [
        // Its members are not validated, since that takes ten times as long as reading them.
        `{"type":"x","metaData":{"a":"\\ud800",${manyMembers(7000)}}}`,
        'metaData should take at most 32768 characters of JSON'
      ],
      [
        JSON.stringify({ type: 'variableEvaluated', target: 'plain', metaData: { eval: reasons(33) } }),
        'metaData.eval should have at most 32 reasons in an event of type "variableEvaluated", got 33'
      ],
      [JSON.stringify({ type: 'x', metaData: { deep } }), 'it should nest at most 32 levels deep'],
      ['{"type":"x","metaData":{"__proto__":{"a":1}}}', 'it has a member named "__proto__", which is not allowed'],
      ['{"type":"x","constructor":1}', 'it has a member named "constructor", which is not allowed'],
      ['{"type":"x","target":"\\u0000"}', 'target should have neither NUL nor half a surrogate pair'],
      ['{"type":"x","metaData":{"a":"\\ud800"}}', 'a should have neither NUL nor half a surrogate pair'],
      [`{"type":"x","metaData":{"${'n'.repeat(5000)}\\ud800":1}}`, 'the name of a member should have neither NUL'],
      [`{"type":"x","featureVars":{"${'n'.repeat(5000)}":1}}`, 'featureVars should be an object']
    ])
  )('is reported as %j, and the others are stored', async (message, bad) => {
    const user_id = someone()
    const user = JSON.stringify({ user_id })
    const good = '{"type":"view"}'
    const one = await sendText(`{"user":${user},"events":[${good},${bad},${good}]}`)
    expect(one.status).toBe(201)
    expect(one.body).toEqual({
      message: 'Successfully received 2 events, refused 1',
      accepted: 2,
      refused: 1,
      mistakes: [{ path: 'events[1]', message: expect.stringContaining(message) }]
    })
    expect(one.body.mistakes[0].message.length).toBeLessThan(600)
    const several = await sendText(
      `{"batch":[{"user":${user},"events":[${good}]},{"user":${user},"events":[${good},${bad}]}]}`,
      '/v1/events/batch'
    )
    expect([several.status, several.body.accepted, several.body.refused]).toEqual([201, 2, 1])
    expect(several.body.mistakes[0].path).toBe('batch[1].events[1]')
    expect(await keptOf(user_id)).toHaveLength(4)
  })

  it('is one of many, of which the first are reported', async () => {
    const user_id = someone()
    const events = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? { type: 'view' } : index))
    const { body } = await sendOne({ user: { user_id }, events })
    expect([body.accepted, body.refused, body.mistakes.length]).toEqual([100, 100, 20])
    expect(await keptOf(user_id)).toHaveLength(100)
  })

  it('is beyond the limit', async () => {
    const user_id = someone()
    const events = Array.from({ length: 6000 }, () => ({ type: 'view' }))
    const { body } = await sendBatch({ batch: Array.from({ length: 3 }, () => ({ user: { user_id }, events })) })
    expect([body.accepted, body.refused]).toEqual([10_000, 8000])
    expect(body.mistakes[0]).toEqual({
      path: 'batch[1]',
      message: 'events should be at most 10000 in one request, got 12000'
    })
    expect(await keptOf(user_id)).toHaveLength(10_000)
  })
})

describe('an invalid user', () => {
  const event = { type: 'view' }

  test.each(
    byMessage<unknown>([
      [undefined, 'should be an object, got nothing'],
      [null, 'should be an object, got null'],
      ['ada', 'should be an object, got "ada"'],
      [[], 'should be an object, got []'],
      [{}, 'user_id should be a string, got nothing'],
      [{ user_id: 5 }, 'user_id should be a string, got 5'],
      [{ user_id: '' }, 'user_id should not be empty, got ""'],
      [{ user_id: ' ' }, 'user_id should not be blank, got " "'],
      [{ user_id: 'x'.repeat(1001) }, 'user_id should have at most 1000 characters']
    ])
  )('causes %j, and the events of others are stored', async (message, user) => {
    const user_id = someone()
    const { status, body } = await sendBatch({
      batch: [
        { user, events: [event, event] },
        { user: { user_id }, events: [event] }
      ]
    })
    expect([status, body.accepted, body.refused]).toEqual([201, 1, 2])
    expect(body.mistakes).toEqual([{ path: 'batch[0].user', message: expect.stringContaining(message) }])
    expect(await keptOf(user_id)).toHaveLength(1)
  })

  const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)
  test.each(
    byMessage<object>([
      [
        { customData: { nested: {} } },
        'customData should be an object of strings, numbers, booleans and nulls, got {"nested":{}}'
      ],
      [
        { customData: 'not JSON' },
        'customData should be an object of strings, numbers, booleans and nulls, got "not JSON"'
      ],
      [{ customData: '{"nested":[]}' }, 'got "{\\"nested\\":[]}"'],
      [{ customData: '{"__proto__":1}' }, 'customData has a member named "__proto__", which is not allowed'],
      [{ customData: { text: 'x'.repeat(20_000) } }, 'customData should take at most 16384 characters'],
      [{ customData: `"${'x'.repeat(16_384)}"` }, 'customData should take at most 16384 characters of JSON, got 16386'],
      [{ customData: `${'['.repeat(20_000)}${']'.repeat(20_000)}` }, 'customData should take at most 16384 characters'],
      [{ customData: JSON.parse(wrongMembers(1001)) }, 'customData should have at most 1000 members'],
      [{ customData: wrongMembers(1001) }, 'customData should have at most 1000 members'],
      [{ customData: deep }, 'got a value that is nested too deeply'],
      [{ customData: { half: '\ud800' } }, 'half should have neither NUL nor half a surrogate pair'],
      [{ platform: 5 }, 'platform should be a string'],
      [{ sdkType: 'toaster' }, 'sdkType should be one of'],
      [{ sdkVersion: 'x'.repeat(1001) }, 'sdkVersion should have at most 1000']
    ])
  )('attribute is dropped (%j), and the event is stored', async (message, attribute) => {
    const user_id = someone()
    const right = { customData: { plan: 'pro' }, platform: 'web', sdkType: 'client', sdkVersion: '1' }
    const { status, body } = await sendOne({ user: { user_id, ...right, ...attribute }, events: [event] })
    expect([status, body.accepted, body.refused]).toEqual([201, 1, 0])
    expect(body.mistakes).toEqual([{ path: 'user', message: expect.stringContaining(message) }])
    const { [Object.keys(attribute)[0] as 'platform']: _, ...others } = right
    expect((await keptOf(user_id))[0]?.user).toEqual({ user_id, ...others })
  })

  it('attributes are allowed if only evaluations read them', async () => {
    const user_id = someone()
    const user = { user_id, language: 'klingon', country: 5, appBuild: [], createdDate: {}, optIns: 1 }
    expect((await sendOne({ user, events: [event] })).body).toMatchObject({ accepted: 1, mistakes: [] })
    expect((await keptOf(user_id))[0]?.user).toEqual({ user_id })
  })
})

describe('a body of another shape', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const heavy = JSON.stringify({ batch: 'x'.repeat(8 * 1024 * 1024) })
  const shapes = ['null', '5', '""', '[]', '{}', '{"events":5}', '{"user":{"user_id":"ada"}}', '{"events":null}', deep]

  test.each([
    ...[...shapes, `{"events":${deep}}`].map((text) => ['/v1/events', text]),
    ...[...shapes, `{"batch":5}`, '{"batch":{}}', '{"batch":[5]}', '{"batch":[{}]}', `{"batch":${deep}}`].map(
      (text) => ['/v1/events/batch', text]
    )
  ])('%s, %#: has nothing to accept, and is not retried by SDKs', async (path, text) => {
    const before = await logSize()
    const { status, body } = await sendText(text, path)
    expect(status).toBe(201)
    expect(body.accepted).toBe(0)
    expect(body.refused).toBeGreaterThan(0)
    expect(body.mistakes.length).toBeGreaterThan(0)
    expect(JSON.stringify(body).length).toBeLessThan(2000)
    expect(await logSize()).toBe(before)
  })

  describe.each<[string, Omit<RawRequest, 'method' | 'path'>]>([
    ['levels', { body: `{"batch":${'['.repeat(1_000_000)}` }],
    ['values', { body: `{"batch":[${'[],'.repeat(600_000)}0]}` }],
    ['members of an object', { body: `{"batch":[{"user":${wrongMembers(20_001)}}]}` }],
    ['characters of a string', { body: `{"batch":[{"user":{"user_id":"${'\\"'.repeat(600_000)}"}}]}` }],
    ['bytes', { body: heavy }],
    ['bytes in chunks', { body: heavy, isChunked: true }],
    ['bytes once it is unpacked', { body: gzipSync(heavy), headers: { 'content-encoding': 'gzip' } }]
  ])('with a great many %s', (_, request) => {
    const post = (headers: Record<string, string> = {}) => {
      const all = { authorization: keyOf('server'), 'content-type': 'application/json', ...request.headers, ...headers }
      return send(server, { ...request, method: 'POST', path: '/v1/events/batch', headers: all })
    }

    it('is not parsed, and is not retried by SDKs', async () => {
      const { status, body } = await post()
      expect([status, body.accepted, body.refused]).toEqual([201, 0, 1])
      expect(body.mistakes[0].message).toBe(
        'the body has more than 8388608 bytes, 500000 values, 20000 members of an object, 64 levels or 1048576 characters of a string; split it into smaller requests'
      )
    })

    it('is refused with 413 if it has an id, so that the sender splits it', async () => {
      const { status, body } = await post({ 'idempotency-key': 'payload 1' })
      expect([status, body.message]).toEqual([413, expect.stringContaining('the body is larger than')])
    })
  })

  test.each<[string, string, string]>([
    ['members', '/v1/events', `{"user":{"user_id":"a"},"events":[{"type":"x","featureVars":${wrongMembers(20_000)}}]}`],
    ['attributes', '/v1/events', `{"user":{"user_id":"a","customData":${wrongMembers(20_000)}},"events":[5]}`],
    ['events', '/v1/events/batch', `{"batch":[${'{"user":{"user_id":"a"},"events":[0]},'.repeat(100_000)}5]}`],
    [
      'users',
      '/v1/events/batch',
      `{"batch":[${`{"user":{"customData":${wrongMembers(400)}},"events":[0]},`.repeat(900)}5]}`
    ]
  ])('with a great many invalid %s gets a short and fast response', async (_, path, text) => {
    const begun = performance.now()
    const { status, body } = await sendText(text, path)
    expect(performance.now() - begun).toBeLessThan(30_000)
    expect([status, body.accepted]).toEqual([201, 0])
    expect(JSON.stringify(body).length).toBeLessThan(20_000)
  })

  it('without events is accepted', async () => {
    const nothing = { message: 'Successfully received 0 events', accepted: 0, refused: 0, mistakes: [] }
    expect((await sendBatch({ batch: [] })).body).toEqual(nothing)
    expect((await sendOne({ user: {}, events: [] })).body).toEqual(nothing)
  })

  test.each<[string, string, number]>([
    ['no JSON', '{"user":', 400],
    ['nothing', '', 400]
  ])('that is %s is refused', async (_, text, status) => {
    expect((await sendText(text)).status).toBe(status)
  })

  it('may be larger than other bodies', async () => {
    const user_id = someone()
    const metaData = { text: 'x'.repeat(30_000) }
    const events = Array.from({ length: 100 }, () => ({ type: 'view', metaData }))
    const { status, body } = await sendOne({ user: { user_id }, events })
    expect([status, body.accepted]).toEqual([201, 100])
  })

  it('with thousands of users, each with reasons of their own, is counted in full', async () => {
    const batch = Array.from({ length: 3000 }, (_, user) => {
      const reasons = Object.fromEntries(Array.from({ length: 20 }, (_, reason) => [`${user} ${reason}`, 1]))
      const metaData = { _feature: idOf('plain'), _variation: idOf('plain variation-on'), eval: reasons }
      const events = [{ type: 'variableEvaluated', target: 'plain', value: user, metaData }, { type: 'view' }]
      return { user: { user_id: `many ${user}` }, events }
    })
    const { status, body } = await sendBatch({ batch }, { key: keyOf('client') })
    expect([status, body.accepted, body.refused]).toEqual([201, 6000, 0])
    const { counts = [], exposures = [], reports = [] } = (await entriesOf(server)).at(-1) ?? {}
    const sum = (3000 * 2999) / 2
    expect(counts.map(({ variable, count }) => [variable, count])).toEqual([['plain', sum]])
    expect(exposures.reduce((total, { count = 0 }) => total + count, 0)).toBe(sum)
    expect([exposures, reports].map(({ length }) => length)).toEqual([3000, 3000])
  })

  it('of any JSON never makes an SDK retry', async () => {
    const member = fc.constantFrom(
      'user',
      'user_id',
      'events',
      'batch',
      'type',
      'metaData',
      '__proto__',
      'toJSON',
      'length'
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.jsonValue(),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(member, fc.string()), tie('value'), { maxKeys: 4, noNullPrototype: false })
      )
    }))
    const event = fc.oneof(
      fc.record({ type: fc.string({ unit: character }), value, metaData: value }, { requiredKeys: [] }),
      value
    )
    const report = fc.oneof(
      fc.record({
        user: fc.oneof(fc.record({ user_id: fc.string(), customData: value }), value),
        events: fc.array(event)
      }),
      value
    )
    await fc.assert(
      fc.asyncProperty(report, fc.array(report), async (one, batch) => {
        for (const [path, body] of [
          ['/v1/events', one],
          ['/v1/events/batch', { batch }]
        ] as const) {
          const answer = await sendText(JSON.stringify(body), path)
          expect(answer.status).toBe(201)
          if (answer.body.refused > 0) expect(answer.body.mistakes).not.toEqual([])
        }
      }),
      { numRuns: runs({ quick: 3, full: 150 }) }
    )
  })
})

describe('the stored events', () => {
  it('contain the user once for several events', async () => {
    const user_id = someone()
    const customData = { text: 'x'.repeat(16_000) }
    const body = { user: { user_id, customData }, events: Array.from({ length: 1000 }, () => ({ type: 'view' })) }
    const before = await logSize()
    expect((await sendOne(body)).body.accepted).toBe(1000)
    expect((await logSize()) - before).toBeLessThan(2 * JSON.stringify(body).length)
    expect((await entriesOf(server)).at(-1)).toEqual({
      environment: idOf('production'),
      at: NOW,
      keyType: 'client',
      reports: [{ user: { user_id, customData }, events: body.events }]
    })
  })

  it('are small for small requests, however many users exist', async () => {
    const batch = Array.from({ length: 10_000 }, () => ({ user: { user_id: 'a' }, events: [{ type: 'x' }] }))
    const before = await logSize()
    const { body } = await sendBatch({ batch }, { headers: { 'idempotency-key': 'x'.repeat(256) } })
    expect(body.accepted).toBe(10_000)
    expect((await logSize()) - before).toBeLessThan(2 * JSON.stringify({ batch }).length)
  })

  it('are complete for requests of some thousands', async () => {
    const user_id = someone()
    const events = Array.from({ length: 3000 }, (_, index) => ({ type: `view ${index}` }))
    expect((await sendBatch({ batch: [{ user: { user_id }, events }] })).body.accepted).toBe(3000)
    expect((await keptOf(user_id)).map(({ type }) => type)).toEqual(events.map(({ type }) => type))
  })
})

describe('private data', () => {
  it('is in neither files nor logs', async () => {
    const user_id = someone()
    const secret = 'marker-0815'
    const user = { user_id, email: secret, privateCustomData: { secret } }
    await sendOne({ user, events: [{ type: 'view' }, { type: 5 }] })
    await sendBatch({ batch: [{ user: { ...user, privateCustomData: secret }, events: [{ type: 'view' }] }] })
    await sendOne({ user: { privateCustomData: { secret } }, events: [{ type: 'view' }] })
    expect(await keptOf(user_id)).toHaveLength(2)
    expect((await storedText(server.directory)) + server.logs.join('')).not.toContain(secret)
  })

  it('includes the SDK key in the URL that SDKs report', async () => {
    const user_id = someone()
    const target = `http://flags.example.com/config/v2/server/${keyOf('server')}.json`
    await sendBatch({
      batch: [{ user: { user_id }, events: [{ type: 'sdkConfig', target, metaData: { errMsg: target } }] }]
    })
    const [event] = await keptOf(user_id)
    expect(JSON.stringify(event)).not.toContain(keyOf('server'))
    expect(event?.target).toMatch(/^http:\/\/flags\.example\.com\/config\/v2\/server\/\*+.{0,4}\.json$/)
  })
})

it('all server keys of this server are masked', async () => {
  const user_id = someone()
  const other = keyOf('server', 'staging')
  const metaData = { [other]: [`${other}, ${other}.`], after: `server-${other} my-server-key-${other}` }
  const event = { type: 'error', target: `key ${other}`, metaData }
  const names = [
    'server-room',
    ...['detail', 'listing'].map((kind) => `server-side-rendering-for-product-${kind}-pages`)
  ]
  await sendOne({ user: { user_id }, events: [event, ...names.map((target) => ({ type: 'view', target }))] })
  const [masked, ...plain] = await keptOf(user_id)
  const stars = `****${other.slice(-4)}`
  expect(masked).toMatchObject({ target: `key ${stars}`, metaData: { [stars]: [`${stars}, ${stars}.`] } })
  expect(JSON.stringify(masked)).not.toContain(other)
  expect(plain.map(({ target }) => target)).toEqual(names)
})

it('all server keys of this server are masked in the user of an event', async () => {
  const other = keyOf('server', 'staging')
  const stars = `****${other.slice(-4)}`
  const id = someone()
  const customData = { [other]: other, url: `https://a.example/${other}.json` }
  const user = { user_id: `${id} ${other}`, platform: other, sdkVersion: other, customData }
  await call(server, 'sendEvents', { key: keyOf('client'), body: { user, events: [{ type: 'view' }] } })
  const [kept] = await keptOf(`${id} ${stars}`)
  expect(kept?.type).toBe('view')
  expect(JSON.stringify(kept)).not.toContain(other)
})

test.each(['production', 'staging'])('a server key of %s in the id of a payload is masked', async (environment) => {
  const user_id = someone()
  const leaked = keyOf('server', environment)
  const body = { user: { user_id }, events: [{ type: 'view' }] }
  await call(server, 'sendEvents', { body, key: keyOf('server'), headers: { 'idempotency-key': `${leaked}-1` } })
  const [kept] = await keptOf(user_id)
  expect(kept?.payloadId).toBe(`****${leaked.slice(-4)}-1`)
})

test.each(['banana', '', '2', 'no', '0'])('names are plain with obfuscated=%s', async (obfuscated) => {
  const user_id = someone()
  const target = `dvc_obfs_${createHash('sha256').update(idOf('variable plain')).digest('hex')}`
  const body = { user: { user_id }, events: [{ type: 'view', target }] }
  expect((await sendOne(body, { query: { obfuscated } })).status).toBe(201)
  expect((await sendOne(body, { query: { obfuscated: [obfuscated, '1'] } })).status).toBe(201)
  expect((await keptOf(user_id)).map((event) => event.target)).toEqual([target, target])
})

describe('the id of a payload', () => {
  test.each(['sendEvents', 'sendEventBatches', 'track'] as const)('is stored with its events by %s', async (id) => {
    const user_id = someone()
    const one = { user: { user_id }, events: [{ type: 'view' }, { type: 'view' }] }
    const body = id === 'sendEventBatches' ? { batch: [one] } : one
    const send = () => call(server, id, { body, headers: { 'idempotency-key': `payload by ${id}` } })
    const first = await send()
    expect(first.status).toBe(201)
    expect((await send()).body).toEqual(first.body)
    expect((await call(server, id, { body })).status).toBe(201)
    const names = (await keptOf(user_id)).map(({ payloadId }) => payloadId)
    expect(names).toEqual([`payload by ${id}`, `payload by ${id}`, undefined, undefined])
  })

  it('is ignored if it is too long', async () => {
    const user_id = someone()
    const body = { user: { user_id }, events: [{ type: 'view' }] }
    const answer = await sendOne(body, { headers: { 'idempotency-key': 'x'.repeat(257) } })
    expect([answer.status, answer.body.accepted]).toEqual([201, 1])
    expect(answer.body.mistakes[0].message).toContain('idempotency-key should have at most 256 characters')
    expect(await keptOf(user_id)).toEqual([expect.not.objectContaining({ payloadId: expect.anything() })])
    const tracked = await call(server, 'track', { body, headers: { 'idempotency-key': 'x'.repeat(257) } })
    expect(tracked.status).toBe(400)
  })
})

it('accepted and refused events are counted in the metrics', async () => {
  const counts = async () => {
    const { body } = await send(server, { path: '/metrics' })
    return ['events', 'events_refused'].map((name) =>
      Number(new RegExp(`^burgee_${name}_total (\\d+)$`, 'm').exec(body)?.[1])
    )
  }
  const [accepted = 0, refused = 0] = await counts()
  await sendOne({ user: { user_id: someone() }, events: [{ type: 'a' }, { type: 'b' }, 5] })
  expect(await counts()).toEqual([accepted + 2, refused + 1])
})

test.each([
  ['an unknown key', 'server-of-nobody'],
  ['no key', null]
])('SDKs with %s get 401, which stops them', async (_, key) => {
  const body = { user: { user_id: 'ada' }, events: [{ type: 'view' }] }
  expect((await sendOne(body, { key })).status).toBe(401)
  expect((await sendBatch({ batch: [body] }, { key })).status).toBe(401)
})

it('acknowledged events survive a kill of the server', async () => {
  const directory = await storeOnDisk({})
  const executable = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
  const child = spawn(process.execPath, [executable, '--port', '0', '--store', `file:${directory}`], {
    env: {},
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  try {
    const port = await new Promise<number>((resolve, reject) => {
      let text = ''
      child.stdout.setEncoding('utf8').on('data', (more) => {
        text += more
        const [, found] = /listening on http:\/\/[^\s:]+:(\d+)/.exec(text) ?? []
        if (found) resolve(Number(found))
      })
      child.on('close', () => reject(new Error('the server did not start: npm run build makes it')))
    })
    const acknowledged: string[] = []
    const report = async (writer: number) => {
      for (let count = 0; ; count++) {
        const type = `${writer} ${count}`
        const body = JSON.stringify({ batch: [{ user: { user_id: 'ada' }, events: [{ type }] }] })
        const headers = { authorization: keyOf('server'), 'content-type': 'application/json' }
        const { status } = await send({ port }, { method: 'POST', path: '/v1/events/batch', headers, body })
        if (status === 201) acknowledged.push(type)
        if (acknowledged.length === 100) child.kill('SIGKILL')
      }
    }
    await Promise.allSettled([0, 1, 2, 3].map(report))
    await ended
    expect(acknowledged.length).toBeGreaterThanOrEqual(100)
    const again = await serve(directory)
    const kept = (await keptOf('ada', again.directory)).map(({ type }) => type)
    expect(kept).toEqual(expect.arrayContaining(acknowledged))
  } finally {
    child.kill('SIGKILL')
    await ended
  }
})

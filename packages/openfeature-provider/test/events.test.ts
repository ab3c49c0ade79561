import { type Config, compile } from '@burgee/core'
import type { TrackingEventDetails, TrackingEventValue } from '@openfeature/server-sdk'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { createEventRecorder, type EventOptions } from '../src/events/eventRecorder.ts'
import type { Recorder } from '../src/events/recorder.ts'
import type { ServerOptions } from '../src/http/serverOptions.ts'
import { BurgeeProvider, staticSource } from '../src/index.ts'
import { type FakeEvents, fakeEvents, type Reply } from './support/fakeEvents.ts'

const config: Config = {
  project: { _id: 'p', key: 'p' },
  environment: { _id: 'e', key: 'e' },
  variables: [
    { _id: 'v', key: 'colour', type: 'String' },
    { _id: 'w', key: 'free', type: 'Boolean' }
  ],
  features: [
    {
      _id: 'f',
      key: 'f',
      type: 'release',
      variations: ['red', 'blue'].map((key) => ({
        _id: `v-${key}`,
        key,
        name: key,
        variables: [{ _var: 'v', value: key }]
      })),
      configuration: {
        _id: 'c',
        targets: [
          {
            _id: 't',
            _audience: {
              filters: {
                operator: 'or',
                filters: [{ type: 'user', subType: 'country', comparator: '=', values: ['CA'] }]
              }
            },
            distribution: [{ _variation: 'v-red', percentage: 1 }]
          },
          {
            _id: 't2',
            _audience: { filters: { operator: 'or', filters: [{ type: 'all' }] } },
            distribution: [
              { _variation: 'v-red', percentage: 0 },
              { _variation: 'v-blue', percentage: 1 }
            ]
          }
        ]
      }
    }
  ]
}
const evaluator = compile(config)

let server: FakeEvents
let warnings: string[]
let recorders: Recorder[]

beforeEach(async () => {
  server = await fakeEvents()
  warnings = []
  recorders = []
})

afterEach(async () => {
  server.reply = () => 201
  await Promise.all(recorders.map((recorder) => recorder.close()))
  await server.close()
})

const hurried = { initialMs: 20, maxMs: 60, refusedMs: 30, refusedMaxMs: 60 }

function record(options: EventOptions = {}, given: Partial<ServerOptions> = {}): Recorder {
  const to = { url: server.url, sdkKey: 'server-key', retry: hurried, random: () => 0, ...given }
  const recorder = createEventRecorder(to, { flushIntervalMs: 20, ...options }, (message) => warnings.push(message))
  recorders.push(recorder)
  return recorder
}

function track(recorder: Recorder, name: string, details: TrackingEventDetails = {}, user: object = {}): void {
  recorder.recordTracking({ name, user: { user_id: 'ada', ...user }, details, featureVars: { f: 'v-red' } })
}

function evaluate(recorder: Recorder, key: string, country: string, isMismatch = false): void {
  const user = { user_id: 'ada', country }
  const resolution = evaluator.resolve(user, key)
  recorder.recordEvaluation({ key, user, resolution, isDefaulted: isMismatch || resolution.status !== 'served' })
}

/** Polls a condition. */
function until(holds: () => unknown): Promise<void> {
  return expect.poll(() => Boolean(holds()), { interval: 10 }).toBe(true)
}

function namesOf(events: readonly Record<string, unknown>[]): unknown[] {
  return events.map(({ customType }) => customType)
}

describe('a tracked event', () => {
  it('contains the user, the variations and all details', async () => {
    const recorder = record()
    const who = { email: 'a@b.c', customData: { plan: 'pro' }, privateCustomData: { secret: 'hidden' } }
    track(recorder, 'purchase', { value: 12.5, currency: 'CAD', cart: { items: ['a'] } }, who)
    await until(() => server.received.length)
    const [{ url, headers, users, events, text }] = server.received as [(typeof server.received)[0]]
    expect(url).toBe('/v1/events/batch')
    expect(headers.authorization).toBe('server-key')
    expect(users).toEqual([{ user_id: 'ada', email: 'a@b.c', customData: { plan: 'pro' } }])
    expect(text).not.toContain('hidden')
    expect(events).toEqual([
      {
        type: 'customEvent',
        customType: 'purchase',
        user_id: 'ada',
        value: 12.5,
        featureVars: { f: 'v-red' },
        metaData: { currency: 'CAD', cart: { items: ['a'] } },
        date: expect.stringMatching(/^\d{4}-.*Z$/),
        clientDate: expect.stringMatching(/^\d{4}-.*Z$/)
      }
    ])
  })

  it('has the time of the option now, like evaluation counts', async () => {
    const recorder = record({ exposures: false }, { now: () => Date.parse('2026-03-01T12:00:00Z') })
    track(recorder, 'purchase')
    evaluate(recorder, 'colour', 'CA')
    await until(() => server.taken().length === 2)
    const date = '2026-03-01T12:00:00.000Z'
    expect(server.taken()).toMatchObject([
      { type: 'customEvent', date, clientDate: date },
      { type: 'aggVariableEvaluated', date, clientDate: date }
    ])
  })

  it('is a snapshot of its details', async () => {
    const recorder = record()
    const details = { step: 1, value: Number.NaN }
    track(recorder, 'step', details)
    details.step = 2
    await recorder.flush()
    expect(server.taken()).toMatchObject([{ metaData: { step: 1 } }])
    expect(server.taken()[0]).not.toHaveProperty('value')
  })

  it('is dropped with a warning if it is not JSON or has no user, and the others are sent', async () => {
    const recorder = record()
    const circle: { [name: string]: TrackingEventValue } = {}
    circle.self = circle
    track(recorder, 'circle', circle)
    track(recorder, 'nobody', {}, { user_id: undefined })
    track(recorder, 'good')
    await recorder.flush()
    expect(namesOf(server.taken())).toEqual(['good'])
    expect(warnings).toEqual([expect.stringContaining('"circle"'), expect.stringContaining('"nobody"')])
  })

  it('is named in warnings of one line', async () => {
    const recorder = record()
    track(recorder, 'a\u2028b', {}, { user_id: undefined })
    const circle: { [name: string]: TrackingEventValue } = {}
    circle.self = circle
    track(recorder, 'c\u009bd', circle)
    expect(warnings).toEqual([expect.stringContaining('"a\\u2028b"'), expect.stringContaining('"c\\u009bd"')])
  })

  it('without a user causes one warning, however many there are', async () => {
    const recorder = record({ flushIntervalMs: 60_000 })
    for (const name of ['a', 'b', 'c']) track(recorder, name, {}, { user_id: undefined })
    await recorder.flush()
    expect(warnings).toEqual(['events without a targetingKey are dropped, such as "a"'])
  })

  it('shares equal featureVars in memory, and is sent with all of them', async () => {
    const recorder = record({ flushIntervalMs: 60_000, maxQueuedBytes: 100_000 })
    const featureVars = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`feature-${index}`, 'v-red']))
    for (let index = 0; index < 90; index++) {
      recorder.recordTracking({
        name: `e${index}`,
        user: { user_id: `u${index}` },
        details: {},
        featureVars: { ...featureVars }
      })
    }
    await recorder.flush()
    expect(warnings).toEqual([])
    expect(server.taken()).toHaveLength(90)
    expect(server.taken().every((event) => Object.keys(event.featureVars as object).length === 1_000)).toBe(true)
  })

  it('is limited by size', async () => {
    server.reply = () => 503
    const recorder = record({ flushIntervalMs: 60_000, maxQueuedBytes: 20_000 })
    for (let index = 0; index < 20; index++) track(recorder, `e${index}`, { text: 'é'.repeat(1_000) })
    expect(warnings).toEqual(['events are dropped (limit: 20000 bytes waiting for delivery)'])
    await recorder.flush()
    server.reply = () => 201
    await recorder.flush()
    expect(namesOf(server.taken())).toEqual(Array.from({ length: 9 }, (_, index) => `e${index}`))
    track(recorder, 'room', { text: 'x'.repeat(10_000) })
    await recorder.flush()
    expect(namesOf(server.taken()).at(-1)).toBe('room')
  })

  it('is sent in requests of limited size', async () => {
    const recorder = record({ flushIntervalMs: 60_000 })
    const featureVars = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, index) => [`feature-${index}`, 'x'.repeat(30)])
    )
    for (let index = 0; index < 60; index++) {
      recorder.recordTracking({ name: `e${index}`, user: { user_id: 'ada' }, details: {}, featureVars })
    }
    await recorder.flush()
    expect(server.taken()).toHaveLength(60)
    expect(server.received.length).toBeGreaterThan(1)
    expect(Math.max(...server.received.map(({ text }) => text.length))).toBeLessThan(4 * 1024 * 1024 + 10_000)
  })

  it('is sent in requests of at most 100 events, at once when there are that many', async () => {
    const recorder = record({ flushIntervalMs: 60_000 })
    for (let index = 0; index < 250; index++) track(recorder, `e${index}`, {}, { user_id: `u${index % 3}` })
    await until(() => server.taken().length === 250)
    expect(server.received.map(({ events }) => events.length)).toEqual([100, 100, 50])
    expect(server.received.map(({ users }) => users.length)).toEqual([3, 3, 3])
    expect(new Set(server.received.map(({ id }) => id)).size).toBe(3)
    expect(new Set(namesOf(server.taken())).size).toBe(250)
  })
})

describe('exposures', () => {
  const HOUR = 3_600_000
  const patient = { flushIntervalMs: 60_000, evaluations: false }

  /** Evaluates the variable for a user; without a country, a distribution decides. */
  function expose(recorder: Recorder, user_id: string, country?: string, served = evaluator): void {
    const user = { user_id, ...(country ? { country } : {}), email: 'a@b.c', privateCustomData: { secret: 'hidden' } }
    recorder.recordEvaluation({ key: 'colour', user, resolution: served.resolve(user, 'colour'), isDefaulted: false })
  }

  it('contain user id and variation for features that split users, and nothing else', async () => {
    const recorder = record(patient)
    for (const user of ['ada', 'ben', 'ada']) expose(recorder, user)
    expose(recorder, 'cleo', 'CA')
    await recorder.flush()
    expect(server.received).toHaveLength(1)
    expect(server.received[0]?.users).toEqual([{ user_id: 'ada' }, { user_id: 'ben' }])
    const exposure = {
      type: 'variableEvaluated',
      target: 'colour',
      value: 0,
      date: expect.stringMatching(/^\d{4}-.*Z$/),
      clientDate: expect.stringMatching(/^\d{4}-.*Z$/),
      featureVars: { f: 'v-blue' }
    }
    expect(server.taken()).toEqual([
      { ...exposure, user_id: 'ada' },
      { ...exposure, user_id: 'ben' }
    ])
    expect(server.received[0]?.text).not.toMatch(/hidden|a@b\.c/)
  })

  it('are sent for experiments however the variation was chosen', async () => {
    const experiment = compile({ ...config, features: config.features.map((one) => ({ ...one, type: 'experiment' })) })
    const recorder = record(patient)
    expose(recorder, 'ada', 'CA', experiment)
    await recorder.flush()
    expect(server.taken()).toMatchObject([{ type: 'variableEvaluated', featureVars: { f: 'v-red' } }])
  })

  it('are not sent without a user, for defaults, or when turned off', async () => {
    const recorder = record(patient)
    const silent = record({ ...patient, exposures: false })
    expose(silent, 'ada')
    const resolution = evaluator.resolve({ user_id: 'ada' }, 'colour')
    recorder.recordEvaluation({ key: 'colour', user: { user_id: 'ada' }, resolution, isDefaulted: true })
    recorder.recordEvaluation({ key: 'colour', user: { user_id: '' }, resolution, isDefaulted: false })
    await recorder.flush()
    await silent.flush()
    expect(server.received).toEqual([])
  })

  it('are sent again in the next hour, even if the config was compiled again', async () => {
    let time = 10 * HOUR
    const recorder = record(patient, { now: () => time })
    const said: number[] = []
    for (const [at, served] of [
      [time, evaluator],
      [time + HOUR - 1, compile(config)],
      [time + HOUR, evaluator],
      [time + HOUR + 1, evaluator]
    ] as const) {
      time = at
      expose(recorder, 'ada', undefined, served)
      await recorder.flush()
      said.push(server.taken().length)
    }
    expect(said).toEqual([1, 1, 2, 2])
    expect(server.taken().map(({ date }) => date)).toEqual(['1970-01-01T10:00:00.000Z', '1970-01-01T11:00:00.000Z'])
  })

  it('are sent before tracked events, a hundred at once', async () => {
    const recorder = record({ ...patient, evaluations: false })
    for (let index = 0; index < 150; index++) expose(recorder, `user ${index}`)
    track(recorder, 'bought')
    await until(() => server.taken().length >= 100)
    await recorder.flush()
    expect(server.received.map(({ events }) => events.length)).toEqual([100, 51])
    expect(server.taken().findIndex(({ type }) => type === 'customEvent')).toBe(150)
  })

  it('are dropped for tracked events with a warning, and sent again when there is room', async () => {
    server.reply = () => 503
    const recorder = record({ ...patient, maxQueuedEvents: 10 })
    for (let index = 0; index < 10; index++) expose(recorder, `user ${index}`)
    expect(warnings).toEqual([])
    for (let index = 0; index < 10; index++) expose(recorder, `later user ${index}`)
    const dropped = 'exposures are dropped: too many events wait for delivery'
    expect(warnings).toEqual([dropped])
    for (let index = 0; index < 10; index++) track(recorder, `event ${index}`)
    expect(warnings).toEqual([dropped])
    track(recorder, 'one too many')
    expect(warnings).toEqual([dropped, 'events are dropped (limit: 10 events waiting for delivery)'])
    server.reply = () => 201
    await recorder.flush()
    expect(server.taken().map(({ type }) => type)).toEqual(Array.from({ length: 10 }, () => 'customEvent'))
    for (let index = 0; index < 5; index++) expose(recorder, `user ${index}`)
    await recorder.flush()
    expect(server.taken().slice(10)).toMatchObject(
      Array.from({ length: 5 }, (_, index) => ({ user_id: `user ${index}` }))
    )
  })

  it('are dropped for tracked events by size', async () => {
    server.reply = () => 503
    const recorder = record({ ...patient, maxQueuedBytes: 1_000 })
    for (let index = 0; index < 20; index++) expose(recorder, `user ${index}`)
    track(recorder, 'large', { text: 'x'.repeat(700) })
    expect(warnings).toEqual(['exposures are dropped: too many events wait for delivery'])
    server.reply = () => 201
    await recorder.flush()
    expect(namesOf(server.taken()).filter(Boolean)).toEqual(['large'])
  })
})

describe('evaluations', () => {
  it('are counted by variable, feature, variation and reason', async () => {
    const recorder = record({ flushIntervalMs: 60_000, exposures: false })
    evaluate(recorder, 'colour', 'CA')
    evaluate(recorder, 'colour', 'CA')
    evaluate(recorder, 'colour', 'FR')
    evaluate(recorder, 'colour', 'CA', true)
    evaluate(recorder, 'free', 'CA')
    evaluate(recorder, 'nowhere', 'CA')
    evaluate(recorder, 'nowhere', 'CA')
    await recorder.flush()
    const by = expect.stringMatching(/^[\w-]{36}@.+$/)
    const defaulted = (target: string, value: number) => ({
      type: 'aggVariableDefaulted',
      target,
      value,
      metaData: { _variation: 'DEFAULT', eval: { DEFAULT: value } }
    })
    expect(server.received).toHaveLength(1)
    expect(server.received[0]?.users).toEqual([expect.objectContaining({ user_id: by, sdkType: 'server' })])
    expect(server.taken()).toMatchObject([
      {
        type: 'aggVariableEvaluated',
        target: 'colour',
        user_id: by,
        value: 2,
        featureVars: {},
        metaData: { _feature: 'f', _variation: 'v-red', eval: { TARGETING_MATCH: 2 } }
      },
      { target: 'colour', value: 1, metaData: { _feature: 'f', _variation: 'v-blue', eval: { SPLIT: 1 } } },
      defaulted('colour', 1),
      defaulted('free', 1),
      defaulted('nowhere', 2)
    ])
  })

  it('of known flags are counted, however many unknown flags are evaluated', async () => {
    const recorder = record({ flushIntervalMs: 60_000, maxQueuedEvents: 50 })
    for (let index = 0; index < 3_000; index++) evaluate(recorder, `unknown ${index}`, 'CA')
    evaluate(recorder, 'colour', 'CA')
    evaluate(recorder, 'free', 'CA')
    await recorder.flush()
    const targets = server.taken().map(({ target }) => target)
    expect(targets).toHaveLength(52)
    expect(targets).toEqual(expect.arrayContaining(['colour', 'free']))
    expect(warnings).toEqual(['evaluations of further unknown flags are not counted (limit: 50 unknown flags)'])
  })

  it('of unknown flags with very long keys are not counted', async () => {
    const recorder = record({ flushIntervalMs: 60_000 })
    evaluate(recorder, 'x'.repeat(1_001), 'CA')
    evaluate(recorder, 'y'.repeat(1_000), 'CA')
    await recorder.flush()
    expect(server.taken().map(({ target }) => target)).toEqual(['y'.repeat(1_000)])
  })

  it('share a counter per variation even if the config was compiled again', async () => {
    const recorder = record({ flushIntervalMs: 60_000 })
    const user = { user_id: 'ada', country: 'CA' }
    for (const one of [evaluator, compile(config)]) {
      recorder.recordEvaluation({ key: 'colour', user, resolution: one.resolve(user, 'colour'), isDefaulted: false })
    }
    await recorder.flush()
    evaluate(recorder, 'colour', 'CA')
    await recorder.flush()
    expect(server.taken()).toMatchObject([
      { target: 'colour', value: 2, metaData: { _variation: 'v-red', eval: { TARGETING_MATCH: 2 } } },
      { target: 'colour', value: 1, metaData: { _variation: 'v-red', eval: { TARGETING_MATCH: 1 } } }
    ])
  })

  it('are counted completely while the server is unavailable', async () => {
    server.reply = () => 503
    const recorder = record()
    evaluate(recorder, 'colour', 'CA')
    await until(() => server.received.length >= 2)
    for (let index = 0; index < 5_000; index++) evaluate(recorder, 'colour', 'CA')
    server.reply = () => 201
    const total = () => server.taken().reduce((sum, { value }) => sum + Number(value), 0)
    await until(() => total() === 5_001)
    expect(server.taken()).toHaveLength(2)
  })
})

test.each([
  [{ tracking: false }, ['aggVariableEvaluated']],
  [{ evaluations: false }, ['customEvent']],
  [{ tracking: false, evaluations: false }, []]
])('%j sends only the other events', async (options, types) => {
  const recorder = record(options)
  track(recorder, 'e')
  evaluate(recorder, 'colour', 'CA')
  await recorder.flush()
  expect(server.taken().map(({ type }) => type)).toEqual(types)
})

describe('a payload', () => {
  test.each<[string, FakeEvents['reply']]>([
    ['500', (index) => (index < 2 ? 500 : 201)],
    ['503', (index) => (index < 2 ? 503 : 201)],
    ['408', (index) => (index < 2 ? 408 : 201)],
    ['429', (index) => (index < 2 ? 429 : 201)],
    ['401', (index) => (index < 2 ? 401 : 201)],
    ['403', (index) => (index < 2 ? 403 : 201)],
    ['200', (index) => (index < 2 ? 200 : 201)],
    ['204', (index) => (index < 2 ? 204 : 201)],
    ['302', (index) => (index < 2 ? { status: 302, headers: { location: '/elsewhere' } } : 201)],
    ['a connection that is cut', (index) => (index < 2 ? 'reset' : 201)],
    ['no answer', (index) => (index < 2 ? 'silence' : 201)]
  ])('is retried with the same id after %s until it is delivered', async (fault, reply) => {
    server.reply = reply
    const recorder = record({}, { requestTimeoutMs: fault === 'no answer' ? 1_000 : 10_000 })
    track(recorder, 'first')
    await until(() => server.received.length)
    track(recorder, 'second')
    await until(() => server.taken().length === 2)
    expect(namesOf(server.taken())).toEqual(['first', 'second'])
    const [first] = server.received
    const attempts = server.received.filter(({ id }) => id === first?.id)
    // Where a response takes too long, a busy machine causes further ones.
    if (fault === 'no answer') expect(attempts.length).toBeGreaterThanOrEqual(3)
    else expect(attempts).toHaveLength(3)
    for (const { text } of attempts) expect(text).toBe(first?.text)
    expect(new Set(server.received.map(({ id }) => id)).size).toBe(2)
    expect(server.received.every(({ url }) => url === '/v1/events/batch')).toBe(true)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).not.toContain('server-key')
  })

  test.each([400, 404, 422])('rejected with %i is dropped with a warning, and the next one is sent', async (status) => {
    server.reply = (index) => (index === 0 ? status : 201)
    const recorder = record()
    track(recorder, 'bad')
    await recorder.flush()
    track(recorder, 'good')
    await recorder.flush()
    expect(namesOf(server.taken())).toEqual(['good'])
    expect(server.received).toHaveLength(2)
    expect(warnings).toEqual([
      expect.stringContaining(`events are dropped (1): ${server.url} answered with status ${status}`)
    ])
  })

  test.each<[string, Reply]>([
    ['is not UTF-8', { status: 201, body: (response) => void response.end(Buffer.from([0xff, 0xfe])) }],
    ['is cut', { status: 201, body: (response) => void response.write('{', () => response.destroy()) }],
    ['never ends', { status: 201, body: (response) => void response.write('{') }],
    ['is not JSON', { status: 201, body: (response) => void response.end('<p>') }],
    ['has another shape', { status: 201, body: (response) => void response.end('{"refused":"x","mistakes":5}') }]
  ])('that was delivered is not retried if the body of the response %s', async (_, reply) => {
    server.reply = () => reply
    const recorder = record({}, { requestTimeoutMs: 1_000 })
    track(recorder, 'first')
    await recorder.flush()
    track(recorder, 'second')
    await recorder.flush()
    expect(namesOf(server.taken())).toEqual(['first', 'second'])
    expect(warnings).toEqual([])
  })

  it('with rejected events is not retried, and the warning leaves out issues of unknown shape', async () => {
    const answer = '{"accepted":0,"refused":1,"mistakes":[{"path":{"toString":5},"message":{"toString":5}}]}'
    server.reply = () => ({ status: 201, body: (response) => void response.end(answer) })
    const recorder = record()
    track(recorder, 'a')
    await recorder.flush()
    await recorder.flush()
    expect(server.received).toHaveLength(1)
    expect(warnings).toEqual([`1 of 1 events are dropped: ${server.url} rejected them`])
  })

  it('with rejected events causes a warning with the first issue', async () => {
    const mistakes = [
      { path: 'batch[0].events[1]', message: 'type should not be empty' },
      { path: 'batch[0].events[2]', message: 'another' }
    ]
    const answer = JSON.stringify({ message: '', accepted: 1, refused: 2, mistakes })
    server.reply = () => ({ status: 201, body: (response) => void response.end(answer) })
    const recorder = record()
    for (const name of ['a', 'b', 'c']) track(recorder, name)
    await recorder.flush()
    expect(warnings).toEqual([
      `2 of 3 events are dropped: ${server.url} rejected them: batch[0].events[1]: type should not be empty`
    ])
  })

  it.each([
    ['contains the key', 'no server-key', 'no <sdk key>'],
    ['contains the key at the cut', `${'x'.repeat(280)}server-key`, `${'x'.repeat(280)}<sdk key`],
    ['contains line breaks', 'a\nb\u001b[31m', 'a\\u000ab\\u001b[31m']
  ])('with rejected events causes a warning of one line without the key if the issue %s', async (_, said, told) => {
    const answer = JSON.stringify({ refused: 1, mistakes: [{ path: 'batch[0]', message: said }] })
    server.reply = () => ({ status: 201, body: (response) => void response.end(answer) })
    const recorder = record()
    track(recorder, 'a')
    await recorder.flush()
    expect(warnings).toEqual([`1 of 1 events are dropped: ${server.url} rejected them: batch[0]: ${told}`])
  })

  it('that is too large is split, and each part has its own id', async () => {
    server.reply = (_, events) => (events.length > 3 ? 413 : 201)
    const recorder = record({ flushIntervalMs: 60_000 })
    for (let index = 0; index < 10; index++) track(recorder, `e${index}`)
    await recorder.flush()
    expect(namesOf(server.taken())).toEqual(Array.from({ length: 10 }, (_, index) => `e${index}`))
    expect(new Set(server.received.map(({ id }) => id)).size).toBe(server.received.length)
    expect(warnings).toEqual([])
  })

  it('that is too large with a single event is dropped, and the others are sent', async () => {
    server.reply = (_, events) => (events.some(({ customType }) => customType === 'huge') ? 413 : 201)
    const recorder = record({ flushIntervalMs: 60_000 })
    for (const name of ['a', 'huge', 'b']) track(recorder, name)
    await recorder.flush()
    expect(namesOf(server.taken())).toEqual(['a', 'b'])
    expect(warnings).toEqual([expect.stringContaining('status 413')])
  })

  it('is retried after the time of Retry-After', async () => {
    server.reply = (index) => (index === 0 ? { status: 429, headers: { 'retry-after': '1' } } : 201)
    const recorder = record()
    track(recorder, 'e')
    await until(() => server.taken().length)
    const [first, second] = server.received
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(1_000)
    expect(second?.id).toBe(first?.id)
  })
})

it('a recorder waits longer after each failure', async () => {
  server.reply = () => 500
  const recorder = record({}, { retry: { initialMs: 30, maxMs: 10_000 } })
  track(recorder, 'e')
  await until(() => server.received.length >= 4)
  const waits = server.received.slice(1).map(({ at }, index) => at - server.received[index]!.at)
  expect(waits[0]).toBeGreaterThanOrEqual(29)
  expect(waits[1]).toBeGreaterThanOrEqual(59)
  expect(waits[2]).toBeGreaterThanOrEqual(119)
})

it('a recorder keeps a limited number of events, warns once about dropping more, and recovers', async () => {
  server.reply = () => 503
  const recorder = record({ maxQueuedEvents: 150 })
  track(recorder, 'first')
  await until(() => server.received.length)
  for (let index = 0; index < 1_000; index++) track(recorder, `e${index}`)
  for (let index = 0; index < 1_000; index++) evaluate(recorder, `unknown ${index}`, 'CA')
  expect(warnings.filter((message) => message.includes('dropped'))).toEqual([
    'events are dropped (limit: 150 events waiting for delivery)'
  ])
  server.reply = () => 201
  await until(() => server.taken().length === 300)
  expect(namesOf(server.taken()).slice(0, 150)).toEqual([
    'first',
    ...Array.from({ length: 149 }, (_, index) => `e${index}`)
  ])
  await recorder.flush()
  track(recorder, 'after')
  await recorder.flush()
  expect(namesOf(server.taken()).at(-1)).toBe('after')
})

describe('a server that names a time with Retry-After', () => {
  it('gets no request by flush before that time', async () => {
    server.reply = (index) => (index === 0 ? { status: 429, headers: { 'retry-after': '60' } } : 201)
    const recorder = record({ flushIntervalMs: 60_000 })
    track(recorder, 'e')
    await recorder.flush()
    await recorder.flush()
    expect(server.received).toHaveLength(1)
  })

  it('gets the remaining events by close after that time, if the deadline allows', async () => {
    server.reply = (index) => (index === 0 ? { status: 503, headers: { 'retry-after': '1' } } : 201)
    const recorder = record({ flushIntervalMs: 60_000 })
    track(recorder, 'e')
    await recorder.flush()
    await recorder.close()
    const [first, second] = server.received
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(1_000)
    expect(namesOf(server.taken())).toEqual(['e'])
    expect(warnings).toHaveLength(1)
  })

  it('makes close give up at once if the deadline is earlier', async () => {
    server.reply = () => ({ status: 503, headers: { 'retry-after': '60' } })
    const recorder = record({ flushIntervalMs: 60_000, closeTimeoutMs: 10_000 })
    track(recorder, 'e')
    await recorder.flush()
    await recorder.close()
    expect(server.received).toHaveLength(1)
    expect(warnings.at(-1)).toBe('events are lost (1): they could not be delivered before the provider was closed')
  })
})

it('a recorder uses a new key without the back-off of the refused one', async () => {
  let key = 'refused-key'
  server.reply = (index) => (index === 0 ? 401 : 201)
  const retry = { initialMs: 10, maxMs: 20, refusedMs: 60_000, refusedMaxMs: 60_000 }
  const recorder = record({}, { sdkKey: () => key, retry })
  track(recorder, 'e')
  await until(() => warnings.length === 1)
  key = 'accepted-key'
  await until(() => server.taken().length === 1)
})

describe('a provider that is not initialized', () => {
  it('queues tracked events up to its limit and sends them', async () => {
    const log = { error() {}, info() {}, debug() {}, warn: (message: string) => void warnings.push(message) }
    const provider = new BurgeeProvider({
      url: server.url,
      sdkKey: 'server-key',
      source: staticSource(config),
      logger: log,
      events: { flushIntervalMs: 60_000, maxQueuedEvents: 2 }
    })
    for (const name of ['a', 'b', 'c']) provider.track(name, { targetingKey: 'ada' }, {})
    await provider.initialize()
    await provider.flush()
    expect(namesOf(server.taken())).toEqual(['a', 'b'])
    expect(warnings).toEqual(['events are dropped (limit: 2 events waiting for delivery)'])
    await provider.onClose()
  })

  it('drops tracked events if its options can never work', () => {
    const provider = new BurgeeProvider({ url: 'flags.example.com', sdkKey: 'server-key' })
    provider.track('a', { targetingKey: 'ada' }, {})
  })
})

describe('close', () => {
  it('sends the remaining events and can be called again', async () => {
    const recorder = record({ flushIntervalMs: 60_000 })
    track(recorder, 'last')
    evaluate(recorder, 'colour', 'CA')
    await Promise.all([recorder.close(), recorder.close()])
    await recorder.close()
    expect(server.taken().map(({ type }) => type)).toEqual(['customEvent', 'aggVariableEvaluated'])
    expect(warnings).toEqual([])
  })

  it('retries a failed payload once more', async () => {
    server.reply = (index) => (index === 0 ? 503 : 201)
    const recorder = record({ flushIntervalMs: 60_000 }, { retry: { initialMs: 60_000, maxMs: 60_000 } })
    track(recorder, 'last')
    await recorder.flush()
    await recorder.close()
    expect(namesOf(server.taken())).toEqual(['last'])
    expect(server.received[1]?.id).toBe(server.received[0]?.id)
  })

  it('gives up at its deadline, warns about lost events, and the recorder can be used again', async () => {
    server.reply = () => 'silence'
    const recorder = record({ flushIntervalMs: 60_000, closeTimeoutMs: 100 })
    for (const name of ['a', 'b', 'c']) track(recorder, name)
    const before = performance.now()
    await recorder.close()
    // Far below the 10 seconds that a request may take.
    expect(performance.now() - before).toBeLessThan(5_000)
    expect(warnings).toEqual(['events are lost (3): they could not be delivered before the provider was closed'])
    server.reply = () => 201
    track(recorder, 'again')
    await recorder.flush()
    expect(namesOf(server.taken())).toEqual(['again'])
  })
})

import { operations } from '@burgee/contract'
import { type ApiResponse, call, send, serve, storeOnDisk, type TestServer } from '@burgee/testing/harness'
import { idOf, keyOf, NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { eventsOf, fullDisk, type StoredEvent } from '../support/events/storedEvents.ts'

let server: TestServer

beforeAll(async () => {
  server = await serve({ features: [{ key: 'plain' }] })
})

function track(body: unknown): Promise<ApiResponse> {
  return call(server, 'track', { body })
}

/** Every event in the server's log, read from the disk. */
async function kept(): Promise<StoredEvent[]> {
  return eventsOf(server)
}

describe('track events', () => {
  test.each([
    [[], 'Successfully received 0 events'],
    [[{ type: 'view' }], 'Successfully received 1 event'],
    [[{ type: 'view' }, { type: 'purchase', value: 3 }], 'Successfully received 2 events']
  ])('%j are counted in the response', async (events, message) => {
    const { status, body } = await track({ user: { user_id: 'counted' }, events })
    expect(status).toBe(201)
    expect(body).toEqual({ message })
  })

  it('are on disk when the response arrives', async () => {
    const event = { type: 'purchase', target: 'cart', date: NOW - 5, value: 12.5, metaData: { items: [{ sku: 'a' }] } }
    await track({ user: { user_id: 'ada', customData: { plan: 'pro' } }, events: [event] })
    const ofAda = (await kept()).filter(({ user }) => user.user_id === 'ada')
    expect(ofAda).toEqual([
      {
        environment: idOf('production'),
        keyType: 'server',
        user: { user_id: 'ada', customData: { plan: 'pro' } },
        ...event,
        at: NOW
      }
    ])
  })

  it('are stored without private data about the user', async () => {
    const user = { user_id: 'grace', privateCustomData: { secret: 'marker-4711' } }
    expect((await track({ user, events: [{ type: 'view' }] })).status).toBe(201)
    expect(JSON.stringify(await kept())).toContain('grace')
    expect(JSON.stringify(await kept()) + server.logs.join('')).not.toContain('marker-4711')
  })

  it('are all stored when many are sent concurrently', async () => {
    const reports = Array.from({ length: 50 }, (_, index) =>
      track({ user: { user_id: `many ${index}` }, events: [{ type: 'x' }] })
    )
    const answers = await Promise.all(reports)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect((await kept()).filter(({ user }) => /^many /.test(user.user_id))).toHaveLength(50)
  })

  it('are counted in the metrics', async () => {
    const count = async () => {
      const { body } = await send(server, { path: '/metrics' })
      return Number(/^burgee_events_total (\d+)$/m.exec(body)?.[1])
    }
    const before = await count()
    await track({ user: { user_id: 'ada' }, events: [{ type: 'a' }, { type: 'b' }] })
    expect(await count()).toBe(before + 2)
  })
})

describe('a refused event', () => {
  test.each([
    [{ events: [] }, 'user'],
    [{ user: { user_id: 'refused' } }, 'events'],
    [{ user: { user_id: 'refused' }, events: { type: 'x' } }, 'events'],
    [{ user: {}, events: [{ type: 'x' }] }, 'user.user_id'],
    [{ user: { user_id: 'refused' }, events: [{ type: 'x' }, { type: '' }] }, 'events.1.type'],
    [{ user: { user_id: 'refused' }, events: [{ type: 'x', value: '5' }] }, 'events.0.value'],
    [{ user: { user_id: 'refused' }, events: [{ type: 'x', date: '2024-01-01' }] }, 'events.0.date'],
    [{ user: { user_id: 'refused' }, events: [{ type: 'x', metaData: [1] }] }, 'events.0.metaData']
  ])('%j is reported and stores nothing', async (body, member) => {
    const before = await kept()
    const answer = await track(body)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(`${member} should`)
    expect(await kept()).toEqual(before)
  })
})

it('may be sent with server keys only', async () => {
  const body = { user: { user_id: 'ada' }, events: [{ type: 'view' }] }
  expect((await call(server, 'track', { body, key: keyOf('client') })).status).toBe(403)
})

// The day file is a full disk.
it.skipIf(process.platform !== 'linux')('events that cannot be stored are refused and not counted', async () => {
  const directory = await storeOnDisk({})
  await fullDisk(directory)
  const full = await serve(directory)
  const { status } = await call(full, 'track', { body: { user: { user_id: 'ada' }, events: [{ type: 'lost' }] } })
  expect(status).toBeGreaterThanOrEqual(500)
  expect((await send(full, { path: '/metrics' })).body).toMatch(/^burgee_events_total 0$/m)
  expect((await call(full, 'evaluateVariables', { body: { user_id: 'ada' } })).status).toBe(200)
})

describe('the contract accepts the documented events', () => {
  const long = 'x'.repeat(1001)
  const wide = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`feature ${index}`, 'v']))

  test.each<[string, object]>([
    ['a long type', { events: [{ type: long }] }],
    ['a long custom type', { events: [{ type: 'x', customType: long }] }],
    ['a custom type that is not a string', { events: [{ type: 'x', customType: 5 }] }],
    ['a long target', { events: [{ type: 'x', target: long }] }],
    ['no moment', { events: [{ type: 'x', clientDate: 'soon' }] }],
    ['a great many features', { events: [{ type: 'x', featureVars: wide }] }],
    ['large metadata', { events: [{ type: 'x', metaData: { text: 'x'.repeat(40_000) } }] }],
    ['too many events', { events: Array.from({ length: 10_001 }, () => ({ type: 'x' })) }],
    ['a long user_id', { user: { user_id: long } }],
    ['a long platform', { user: { user_id: 'long', platform: long } }],
    ['a long version of the SDK', { user: { user_id: 'long', sdkVersion: long } }]
  ])('and refuses events if %s', async (_, members) => {
    const body = { user: { user_id: 'long' }, events: [{ type: 'x' }], ...members }
    expect((await track(body)).status).toBe(400)
    expect(operations.track.body.safeParse(body).success).toBe(false)
  })
})

// A disk that is always full.
it.skipIf(process.platform !== 'linux')(
  'events that cannot be stored get 503, so that they are sent again',
  async () => {
    const directory = await storeOnDisk({})
    await fullDisk(directory)
    const full = await serve(directory)
    const body = { user: { user_id: 'ada' }, events: [{ type: 'lost' }] }
    const one = await call(full, 'sendEvents', { body })
    expect([one.status, one.headers['retry-after']]).toEqual([503, '1'])
    expect((await call(full, 'sendEventBatches', { body: { batch: [body] } })).status).toBe(503)
    expect((await send(full, { path: '/metrics' })).body).toMatch(/^burgee_events_total 0$/m)
    const nothingToKeep = await call(full, 'sendEvents', { body: { user: { user_id: 'ada' }, events: [5] } })
    expect(nothingToKeep.status).toBe(201)
  }
)

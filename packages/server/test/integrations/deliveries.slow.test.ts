import { DAY, idOf, NOW } from '@burgee/testing/plan'
import { describe, expect, test } from 'vitest'
import { DeliveryQueue } from '../../src/integrations/outbox/queue/deliveryQueue.ts'
import type { OutboundResponse } from '../../src/lib/outbound/safeFetch.ts'
import type { StoredDelivery } from '../../src/storage/resources/notification.ts'
import { openDeliveryHarness, responseWith, type SentMessage, waitUntil } from '../support/deliveryHarness.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const refused: OutboundResponse = { type: 'failed', reason: 'the connection was refused', durationMs: 1 }

describe('a message', () => {
  test('is sent to each receiver once, and its delivery records that', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    await harness.webhook('other')
    await harness.change('search')
    await harness.quiet()
    expect(harness.sent.map(({ receiver }) => receiver).sort()).toEqual(['one', 'other'])
    const deliveries = await harness.deliveries()
    expect(deliveries.map(({ _id }) => _id).sort()).toEqual(harness.sent.map(({ id }) => id).sort())
    expect(deliveries[0]).toMatchObject({
      status: 'delivered',
      _feature: idOf('search'),
      events: ['modifiedFeature'],
      attempts: [{ at: new Date(NOW).toISOString(), status: 204, durationMs: 1 }]
    })
    expect(deliveries[0]).not.toHaveProperty('nextAttemptAt')
  })

  test('is counted by attempts, and once when it has finished', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    harness.answer = () => responseWith(500)
    await harness.change('search')
    await harness.quiet()
    expect(harness.counted).toEqual(['webhook failed'])
    harness.answer = () => responseWith(200)
    harness.clock.now += 5 * SECOND
    await harness.finished()
    expect(harness.counted).toEqual(['webhook failed', 'webhook succeeded', 'webhook delivered'])
    harness.answer = () => responseWith(410)
    await harness.change('search', 'search')
    await harness.finished()
    // The second is given up without an attempt, since the first had the webhook disabled.
    const after = ['webhook failed', 'webhook dead', 'webhook dead']
    expect(harness.counted.slice(3)).toEqual(after)
  })

  test('has no cost for a project without receivers', async () => {
    const harness = await openDeliveryHarness()
    await harness.change('search', 'search')
    expect((await harness.store.collection('outbox').list()).count).toBe(0)
  })

  test('does not exist when its transaction fails', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    const change = harness.store.transaction(async (transaction) => {
      const entry = (await transaction.collection('auditEntries').list()).items[0]
      expect(entry).toBeUndefined()
      throw new Error('no')
    })
    await expect(change).rejects.toThrow('no')
    expect((await harness.store.collection('outbox').list()).count).toBe(0)
  })

  test('leaves the outbox while it is attempted or waits', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    harness.answer = () => refused
    await harness.change('search', 'search')
    await harness.quiet()
    const [first, second] = await harness.deliveries()
    expect([first?.attempts.length, second?.attempts.length].sort()).toEqual([0, 1])
  })
})

describe('a message that fails', () => {
  test('is retried by the documented schedule, and dead in the end', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    harness.answer = () => responseWith(500)
    await harness.change('search')
    await harness.quiet()
    const waits = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY]
    for (const [index, ms] of waits.entries()) {
      harness.clock.now += ms - 1
      await harness.polls()
      expect(harness.sent).toHaveLength(index + 1)
      harness.clock.now += 1
      await waitUntil(() => harness.sent.length === index + 2)
      await harness.quiet()
    }
    const [delivery] = await harness.deliveries()
    expect(delivery?.status).toBe('dead')
    expect(delivery?.attempts).toHaveLength(10)
    expect(delivery?.attempts[0]).toEqual({
      at: new Date(NOW).toISOString(),
      status: 500,
      error: 'the receiver answered 500',
      durationMs: 1
    })
    expect(new Set(harness.sent.map(({ id }) => id)).size).toBe(1)
    harness.clock.now += 30 * HOUR
    await harness.polls()
    expect(harness.sent).toHaveLength(10)
  })

  const asking: [string, number, number | undefined, number][] = [
    ['later than the schedule', 429, HOUR, HOUR],
    ['later, with another status', 503, HOUR, HOUR],
    ['sooner than the schedule', 429, 1 * SECOND, 5 * SECOND],
    ['for more than a day', 503, 9 * DAY, DAY],
    ['for nothing', 502, undefined, 5 * SECOND]
  ]
  test.each(asking)('waits as long as the receiver asks by Retry-After: %s', async (_, status, retryAfterMs, waits) => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    harness.answer = () => responseWith(status, retryAfterMs)
    await harness.change('search')
    await harness.quiet()
    expect((await harness.deliveries())[0]?.nextAttemptAt).toBe(new Date(NOW + waits).toISOString())
  })

  const failures: [string, OutboundResponse, object][] = [
    ['nothing answered', refused, { error: 'the connection was refused' }],
    ['a redirect', responseWith(302), { status: 302, error: 'the receiver answered 302; redirects are not followed' }],
    ['a refusal', responseWith(404), { status: 404, error: 'the receiver answered 404' }]
  ]
  test.each(failures)('counts %s as a failure', async (_, outcome, attempt) => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    harness.answer = () => outcome
    await harness.change('search')
    await harness.quiet()
    expect(await harness.deliveries()).toMatchObject([{ status: 'pending', attempts: [attempt] }])
  })
})

describe('messages of a receiver', () => {
  test('about one feature are sent in order, even while the first fails', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    harness.answer = () => refused
    await harness.change('search', 'search', 'cart')
    await harness.quiet()
    const first = harness.sent.find(({ feature }) => feature === 'search')
    expect(harness.sent.map(({ feature }) => feature).sort()).toEqual(['cart', 'search'])
    harness.answer = () => responseWith(200)
    harness.clock.now += 5 * SECOND
    await harness.finished()
    const search = harness.sent.filter(({ feature }) => feature === 'search').map(({ id }) => id)
    expect(search).toEqual([first?.id, first?.id, expect.not.stringMatching(first?.id ?? '')])
  })

  test('about different features are sent concurrently, a few at a time', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    await harness.change('warm-up')
    await harness.quiet()
    const open: (() => void)[] = []
    harness.answer = () => new Promise((resolve) => open.push(() => resolve(responseWith(200))))
    await harness.change('a', 'b', 'c', 'd', 'e', 'f')
    await waitUntil(() => open.length === 4)
    await harness.polls()
    expect(open).toHaveLength(4)
    open.shift()?.()
    await waitUntil(() => open.length === 4)
    harness.answer = () => responseWith(200)
    for (const end of open) end()
    await harness.quiet()
  })

  test('do not wait for other receivers that hang, however many', async () => {
    const harness = await openDeliveryHarness()
    for (let at = 0; at < 60; at++) await harness.webhook(`hanging-${at}`)
    await harness.webhook('healthy')
    const first = (sent: SentMessage) => sent.receiver === 'healthy'
    harness.answer = (sent) => (first(sent) ? responseWith(200) : refused)
    await harness.change('search')
    await harness.quiet()
    harness.clock.now += 5 * SECOND
    const open: (() => void)[] = []
    harness.answer = (sent) => {
      if (first(sent)) return responseWith(200)
      return new Promise((resolve) => open.push(() => resolve(refused)))
    }
    await waitUntil(() => open.length === 12)
    for (let count = 2; count < 12; count++) {
      await harness.change('search')
      await waitUntil(() => harness.sent.filter(first).length === count)
    }
    expect(open).toHaveLength(12)
    harness.answer = () => refused
    for (const end of open) end()
  })

  test('do not wait for new receivers that hang, of which few are attempted at a time', async () => {
    const harness = await openDeliveryHarness()
    for (let at = 0; at < 60; at++) await harness.webhook(`hanging-${at}`)
    harness.answer = () => refused
    await harness.change('search')
    await harness.quiet()
    harness.clock.now += 5 * SECOND
    const open = new Map<string, () => void>()
    harness.answer = ({ receiver }) => {
      if (receiver === 'healthy') return responseWith(200)
      return new Promise((resolve) => open.set(receiver, () => resolve(refused)))
    }
    await waitUntil(() => open.size === 12)
    await harness.webhook('healthy')
    await harness.change('cart')
    await waitUntil(() => harness.sent.some(({ receiver }) => receiver === 'healthy'))
    for (let at = 0; at < 60; at++) await harness.webhook(`new-${at}`)
    await harness.change('basket')
    await waitUntil(() => open.size === 16)
    await harness.polls()
    expect([...open.keys()].filter((name) => name.startsWith('new-'))).toHaveLength(4)
    for (let count = 3; count < 6; count++) {
      await harness.change('search')
      await waitUntil(() => harness.sent.filter(({ receiver }) => receiver === 'healthy').length === count)
    }
    harness.answer = () => refused
    for (const end of open.values()) end()
  })
})

test('serves a new receiver of one project while those of another hang', async () => {
  const queue = new DeliveryQueue(() => 'untested')
  const add = (id: string, _project: string, position: number) => {
    const receiver = `webhook:${id}` as const
    const at = new Date(NOW).toISOString()
    const telling = { changes: [], events: [], project: _project, key: 'search', user: { name: 'Ada' } }
    const timestamps = { _id: id, createdAt: at, updatedAt: at }
    const delivery = {
      ...timestamps,
      _project,
      receiver,
      _entry: 'e',
      telling,
      status: 'pending',
      events: [],
      attempts: []
    }
    queue.add({ delivery: delivery as StoredDelivery, position, dueAt: NOW }, NOW)
  }
  for (let at = 0; at < 400; at++) add(`hanging-${at}`, 'bad', at)
  const running = Array.from({ length: 4 }, () => queue.next(NOW) ?? expect.fail('nothing is due'))
  expect(queue.next(NOW)).toBeUndefined()
  add('late', 'good', 400)
  queue.finish(running[0] ?? expect.fail('none'), undefined, NOW)
  expect(queue.next(NOW)?.pending.delivery._id).toBe('late')
})

describe('a receiver', () => {
  test('that returns 410 is disabled, and its pending deliveries are dead', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    harness.answer = () => refused
    await harness.change('search', 'search', 'cart')
    await harness.quiet()
    harness.answer = (sent) => (sent.feature === 'search' ? responseWith(410) : refused)
    harness.clock.now += 5 * SECOND
    await harness.finished()
    await harness.quiet()
    const deliveries = await harness.deliveries()
    expect(deliveries.map(({ status }) => status)).toEqual(['dead', 'dead', 'dead'])
    expect(deliveries.filter(({ reason }) => reason === 'the webhook is disabled')).not.toHaveLength(0)
    const webhook = await harness.store.collection('webhooks').get({ _id: idOf('one') })
    expect(webhook).toMatchObject({
      enabled: false,
      disabledReason: 'the receiver answered 410 Gone'
    })
    const { items } = await harness.store.collection('auditEntries').list({ sortBy: 'position', sortOrder: 'desc' })
    expect(items[0]).toMatchObject({ actor: 'server', changes: [{ type: 'modifiedWebhook' }] })
    const attempts = harness.sent.length
    await harness.change('search')
    await harness.polls()
    expect(harness.sent).toHaveLength(attempts)
  })

  test('that returns 410 at a former URL stays on', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    harness.answer = async () => {
      harness.clock.now += SECOND
      const updatedAt = new Date(harness.clock.now).toISOString()
      await harness.store.collection('webhooks').update(idOf('one'), { url: 'https://receiver.example/two', updatedAt })
      return responseWith(410)
    }
    await harness.change('search')
    await harness.finished()
    const webhook = await harness.store.collection('webhooks').get({ _id: idOf('one') })
    expect(webhook).toMatchObject({ enabled: true })
    harness.answer = () => responseWith(410)
    await harness.change('search')
    await waitUntil(
      async () => (await harness.store.collection('webhooks').get({ _id: idOf('one') }))?.enabled === false
    )
  })

  /** Fails a message for three days, lets days go by, then fails one more. */
  async function failing(
    between: (harness: Awaited<ReturnType<typeof openDeliveryHarness>>) => Promise<void>,
    days = 5
  ) {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    harness.answer = () => refused
    await harness.change('search')
    await harness.quiet()
    for (let attempts = 1; attempts < 10; attempts++) {
      harness.clock.now = Date.parse((await harness.deliveries())[0]?.nextAttemptAt ?? '')
      await waitUntil(() => harness.sent.length > attempts)
      await harness.quiet()
    }
    expect((await harness.deliveries())[0]?.status).toBe('dead')
    harness.clock.now = NOW + days * DAY
    await between(harness)
    harness.answer = () => refused
    await harness.change('cart')
    await harness.quiet()
    const webhook = await harness.store.collection('webhooks').get({ _id: idOf('one') })
    return { harness, webhook }
  }

  test('that fails for five days is disabled with the start of the failures', async () => {
    const { webhook } = await failing(async () => {})
    expect(webhook).toMatchObject({
      enabled: false,
      disabledReason: 'every delivery has failed since 2026-03-01T12:00:00.000Z'
    })
  })

  test('that fails for five days is disabled, also across a restart', async () => {
    const { webhook } = await failing((harness) => harness.restart())
    expect(webhook?.enabled).toBe(false)
  })

  test('that fails for less than five days stays on', async () => {
    const { webhook } = await failing(async () => {}, 4.9)
    expect(webhook?.enabled).toBe(true)
  })

  test('that accepted a message in between stays on', async () => {
    const { webhook } = await failing(async (harness) => {
      harness.answer = () => responseWith(200)
      await harness.change('search')
      await harness.quiet()
    })
    expect(webhook?.enabled).toBe(true)
  })

  test('that was edited in between stays on', async () => {
    const { webhook } = await failing(async ({ store, clock }) => {
      const updatedAt = new Date(clock.now).toISOString()
      await store.collection('webhooks').update(idOf('one'), { updatedAt })
    })
    expect(webhook?.enabled).toBe(true)
  })

  test('that was sent nothing for five days does not count as failing all the time', async () => {
    const { webhook } = await failing(async () => {}, 60)
    expect(webhook?.enabled).toBe(true)
  })

  test('that is removed is sent nothing more, and its pending deliveries are deleted', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    harness.answer = () => refused
    await harness.change('search', 'search')
    await harness.quiet()
    await harness.store.collection('webhooks').remove(idOf('one'))
    await harness.finished()
    await waitUntil(async () => (await harness.deliveries()).length === 0)
    expect(harness.sent).toHaveLength(1)
  })
})

describe('the deliveries of a removed receiver', () => {
  test.each([true, false])('are deleted with it, turned on or not (%s)', async (enabled) => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    await harness.webhook('other')
    await harness.change('search', 'cart')
    await harness.finished()
    expect(await harness.deliveries()).toHaveLength(4)
    await harness.store.collection('webhooks').update(idOf('one'), { enabled })
    await harness.store.collection('webhooks').remove(idOf('one'))
    await waitUntil(async () => (await harness.deliveries()).length === 2)
    const kept = new Set((await harness.deliveries()).map(({ receiver }) => receiver))
    expect([...kept]).toEqual([`webhook:${idOf('other')}`])
  })

  test('are deleted even if it is sent its own removal, and have no secrets until then', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    const webhook = await harness.store.collection('webhooks').get({ _id: idOf('one') })
    const secret = webhook?.secrets[0]?.secret ?? expect.fail('it has no secret')
    const kept: string[] = []
    harness.store.subscribe(({ writes }) => {
      for (const { collection, after } of writes) {
        if (collection === 'deliveries' && after && after.status !== 'pending') kept.push(JSON.stringify(after))
      }
    })
    await harness.removeFeature('search', 'one')
    await waitUntil(() => kept.length === 1)
    expect(kept[0]).toContain('"status":"delivered"')
    expect(kept[0]).not.toContain(secret)
    await waitUntil(async () => (await harness.deliveries()).length === 0)
    expect((await harness.store.collection('outbox').list()).count).toBe(0)
  })
})

describe('redelivery', () => {
  test('sends at once, with the same id', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    await harness.change('search')
    await harness.quiet()
    const id = harness.sent[0]?.id ?? ''
    harness.clock.now += HOUR
    expect(await harness.worker().redeliver(id)).toMatchObject({ _id: id, status: 'pending', attempts: [{}] })
    await harness.quiet()
    expect(harness.sent.map((sent) => sent.id)).toEqual([id, id])
    expect(await harness.deliveries()).toMatchObject([{ status: 'delivered', attempts: [{}, {}] }])
  })

  test('sends once for two concurrent requests', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    await harness.change('search')
    await harness.quiet()
    const id = harness.sent[0]?.id ?? ''
    const [first, second] = await Promise.all([harness.worker().redeliver(id), harness.worker().redeliver(id)])
    expect([first, second]).toMatchObject([{ status: 'pending' }, 'in-flight'])
    await harness.quiet()
    expect(harness.sent).toHaveLength(2)
    expect(await harness.deliveries()).toMatchObject([{ status: 'delivered', attempts: [{}, {}] }])
  })

  test('survives a stop of the server', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    await harness.change('search')
    await harness.quiet()
    harness.answer = () => new Promise(() => {})
    const id = harness.sent[0]?.id ?? ''
    await harness.worker().redeliver(id)
    await waitUntil(() => harness.sent.length === 2)
    await harness.restart()
    await waitUntil(() => harness.sent.length === 3)
    expect(new Set(harness.sent.map((sent) => sent.id)).size).toBe(1)
  })

  test('returns undefined for an unknown delivery', async () => {
    const harness = await openDeliveryHarness()
    expect(await harness.worker().redeliver(idOf('nothing'))).toBeUndefined()
  })

  test('makes a single attempt when all were used', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    harness.answer = () => responseWith(410)
    await harness.change('search')
    await harness.quiet()
    const [dead] = await harness.deliveries()
    const attempts = Array.from({ length: 10 }, () => ({ at: dead?.createdAt ?? '', error: 'no', durationMs: 1 }))
    await harness.store.collection('deliveries').update(dead?._id ?? '', { attempts })
    await harness.store.collection('webhooks').update(idOf('one'), { enabled: true })
    harness.answer = () => refused
    await harness.worker().redeliver(dead?._id ?? '')
    await waitUntil(async () => (await harness.deliveries())[0]?.attempts.length === 11)
    expect((await harness.deliveries())[0]?.status).toBe('dead')
  })
})

describe('finished deliveries', () => {
  test('are kept for thirty days', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    await harness.change('search')
    await harness.quiet()
    harness.clock.now += 29 * DAY
    await harness.change('cart')
    await harness.quiet()
    await harness.polls()
    expect(await harness.deliveries()).toHaveLength(2)
    harness.clock.now += 1 * DAY
    await waitUntil(async () => (await harness.deliveries()).length === 1)
  })

  test('are kept up to a thousand for each receiver, the newest', async () => {
    const harness = await openDeliveryHarness()
    await harness.webhook('one')
    await harness.webhook('other')
    for (let at = 0; at < 1100; at++) {
      harness.clock.now += 1
      await harness.change('search')
    }
    await harness.finished()
    await harness.quiet()
    await waitUntil(async () => (await harness.deliveries()).length <= 2000)
    const one = (await harness.deliveries()).filter(({ receiver }) => receiver === `webhook:${idOf('one')}`)
    expect(one.length).toBeLessThanOrEqual(1000)
    expect(one.length).toBeGreaterThanOrEqual(900)
    expect(one.at(-1)?.createdAt).toBe(new Date(harness.clock.now).toISOString())
  })
})

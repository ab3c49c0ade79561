import { DAY, idOf, NOW } from '@burgee/testing/plan'
import { describe, expect, test } from 'vitest'
import { DeliveryQueue } from '../src/integrations/outbox/queue/deliveryQueue.ts'
import type { OutboundResponse } from '../src/lib/outbound/safeFetch.ts'
import type { StoredDelivery } from '../src/storage/resources.ts'
import { openDeliveryHarness, responseWith, type SentMessage, waitUntil } from './support/deliveryHarness.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const refused: OutboundResponse = { type: 'failed', reason: 'the connection was refused', durationMs: 1 }

describe('a message', () => {
  test('is told to each receiver once, and its delivery tells that', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    await world.webhook('other')
    await world.change('search')
    await world.settled()
    expect(world.sent.map(({ receiver }) => receiver).sort()).toEqual(['one', 'other'])
    const deliveries = await world.deliveries()
    expect(deliveries.map(({ _id }) => _id).sort()).toEqual(world.sent.map(({ id }) => id).sort())
    expect(deliveries[0]).toMatchObject({
      status: 'delivered',
      _feature: idOf('search'),
      events: ['modifiedFeature'],
      attempts: [{ at: new Date(NOW).toISOString(), status: 204, durationMs: 1 }]
    })
    expect(deliveries[0]).not.toHaveProperty('nextAttemptAt')
  })

  test('is counted by its attempts, and once when it is settled', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    world.answer = () => responseWith(500)
    await world.change('search')
    await world.settled()
    expect(world.counted).toEqual(['webhook failed'])
    world.answer = () => responseWith(200)
    world.clock.now += 5 * SECOND
    await world.idle()
    expect(world.counted).toEqual(['webhook failed', 'webhook succeeded', 'webhook delivered'])
    world.answer = () => responseWith(410)
    await world.change('search', 'search')
    await world.idle()
    // The second is given up without an attempt, since the first had the webhook switched off.
    const after = ['webhook failed', 'webhook dead', 'webhook dead']
    expect(world.counted.slice(3)).toEqual(after)
  })

  test('costs a project without receivers nothing', async () => {
    const world = await openDeliveryHarness()
    await world.change('search', 'search')
    expect((await world.store.collection('outbox').list()).count).toBe(0)
  })

  test('is not there when its change is not', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    const change = world.store.transaction(async (transaction) => {
      const entry = (await transaction.collection('auditEntries').list()).items[0]
      expect(entry).toBeUndefined()
      throw new Error('no')
    })
    await expect(change).rejects.toThrow('no')
    expect((await world.store.collection('outbox').list()).count).toBe(0)
  })

  test('leaves the outbox while it is still being tried, and for its turn', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    world.answer = () => refused
    await world.change('search', 'search')
    await world.settled()
    const [first, second] = await world.deliveries()
    expect([first?.attempts.length, second?.attempts.length].sort()).toEqual([0, 1])
  })
})

describe('a message that fails', () => {
  test('is tried again by the published schedule, and dead in the end', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    world.answer = () => responseWith(500)
    await world.change('search')
    await world.settled()
    const waits = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY]
    for (const [index, ms] of waits.entries()) {
      world.clock.now += ms - 1
      await pause()
      expect(world.sent).toHaveLength(index + 1)
      world.clock.now += 1
      await waitUntil(() => world.sent.length === index + 2)
      await world.settled()
    }
    const [delivery] = await world.deliveries()
    expect(delivery?.status).toBe('dead')
    expect(delivery?.attempts).toHaveLength(10)
    expect(delivery?.attempts[0]).toEqual({
      at: new Date(NOW).toISOString(),
      status: 500,
      error: 'it answered 500',
      durationMs: 1
    })
    expect(new Set(world.sent.map(({ id }) => id)).size).toBe(1)
    world.clock.now += 30 * HOUR
    await pause()
    expect(world.sent).toHaveLength(10)
  })

  const asking: [string, number, number | undefined, number][] = [
    ['later than the schedule', 429, HOUR, HOUR],
    ['later, with another status', 503, HOUR, HOUR],
    ['sooner than the schedule', 429, 1 * SECOND, 5 * SECOND],
    ['for more than a day', 503, 9 * DAY, DAY],
    ['for nothing', 502, undefined, 5 * SECOND]
  ]
  test.each(asking)('waits as long as a receiver asks, which asks %s', async (_, status, retryAfterMs, waits) => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    world.answer = () => responseWith(status, retryAfterMs)
    await world.change('search')
    await world.settled()
    expect((await world.deliveries())[0]?.nextAttemptAt).toBe(new Date(NOW + waits).toISOString())
  })

  const failures: [string, OutboundResponse, object][] = [
    ['nothing answered', refused, { error: 'the connection was refused' }],
    ['a redirect', responseWith(302), { status: 302, error: 'it answered 302, and redirects are not followed' }],
    ['a refusal', responseWith(404), { status: 404, error: 'it answered 404' }]
  ]
  test.each(failures)('takes %s for a failure', async (_, outcome, attempt) => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    world.answer = () => outcome
    await world.change('search')
    await world.settled()
    expect(await world.deliveries()).toMatchObject([{ status: 'pending', attempts: [attempt] }])
  })
})

describe('messages of a receiver', () => {
  test('go one after the other where they are about the same feature, also while the first fails', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    world.answer = () => refused
    await world.change('search', 'search', 'cart')
    await world.settled()
    const first = world.sent.find(({ feature }) => feature === 'search')
    expect(world.sent.map(({ feature }) => feature).sort()).toEqual(['cart', 'search'])
    world.answer = () => responseWith(200)
    world.clock.now += 5 * SECOND
    await world.idle()
    const search = world.sent.filter(({ feature }) => feature === 'search').map(({ id }) => id)
    expect(search).toEqual([first?.id, first?.id, expect.not.stringMatching(first?.id ?? '')])
  })

  test('go beside each other where they are about different features, a few at a time', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    await world.change('warm-up')
    await world.settled()
    const open: (() => void)[] = []
    world.answer = () => new Promise((resolve) => open.push(() => resolve(responseWith(200))))
    await world.change('a', 'b', 'c', 'd', 'e', 'f')
    await waitUntil(() => open.length === 4)
    await pause()
    expect(open).toHaveLength(4)
    open.shift()?.()
    await waitUntil(() => open.length === 4)
    world.answer = () => responseWith(200)
    for (const end of open) end()
    await world.settled()
  })

  test('do not wait for other receivers, however many of those hang', async () => {
    const world = await openDeliveryHarness()
    for (let at = 0; at < 60; at++) await world.webhook(`hanging-${at}`)
    await world.webhook('healthy')
    const first = (sent: SentMessage) => sent.receiver === 'healthy'
    world.answer = (sent) => (first(sent) ? responseWith(200) : refused)
    await world.change('search')
    await world.settled()
    world.clock.now += 5 * SECOND
    const open: (() => void)[] = []
    world.answer = (sent) => {
      if (first(sent)) return responseWith(200)
      return new Promise((resolve) => open.push(() => resolve(refused)))
    }
    await waitUntil(() => open.length === 12)
    for (let count = 2; count < 12; count++) {
      await world.change('search')
      await waitUntil(() => world.sent.filter(first).length === count)
    }
    expect(open).toHaveLength(12)
    world.answer = () => refused
    for (const end of open) end()
  })

  test('do not wait for those that hang, the first time either; of such first ones, few go at a time', async () => {
    const world = await openDeliveryHarness()
    for (let at = 0; at < 60; at++) await world.webhook(`hanging-${at}`)
    world.answer = () => refused
    await world.change('search')
    await world.settled()
    world.clock.now += 5 * SECOND
    const open = new Map<string, () => void>()
    world.answer = ({ receiver }) => {
      if (receiver === 'healthy') return responseWith(200)
      return new Promise((resolve) => open.set(receiver, () => resolve(refused)))
    }
    await waitUntil(() => open.size === 12)
    await world.webhook('healthy')
    await world.change('cart')
    await waitUntil(() => world.sent.some(({ receiver }) => receiver === 'healthy'))
    for (let at = 0; at < 60; at++) await world.webhook(`new-${at}`)
    await world.change('basket')
    await waitUntil(() => open.size === 16)
    await pause()
    expect([...open.keys()].filter((name) => name.startsWith('new-'))).toHaveLength(4)
    for (let count = 3; count < 6; count++) {
      await world.change('search')
      await waitUntil(() => world.sent.filter(({ receiver }) => receiver === 'healthy').length === count)
    }
    world.answer = () => refused
    for (const end of open.values()) end()
  })
})

test('a new receiver of one project does not wait for all those of another that hang', async () => {
  const queue = new DeliveryQueue(() => 'new')
  const add = (id: string, _project: string, position: number) => {
    const receiver = `webhook:${id}` as const
    const at = new Date(NOW).toISOString()
    const telling = { changes: [], events: [], project: _project, key: 'search', user: { name: 'Ada' } }
    const stamps = { _id: id, createdAt: at, updatedAt: at }
    const delivery = {
      ...stamps,
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
  test('that answers 410 is switched off, and what waits for it is dead', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    world.answer = () => refused
    await world.change('search', 'search', 'cart')
    await world.settled()
    world.answer = (sent) => (sent.feature === 'search' ? responseWith(410) : refused)
    world.clock.now += 5 * SECOND
    await world.idle()
    await world.settled()
    const deliveries = await world.deliveries()
    expect(deliveries.map(({ status }) => status)).toEqual(['dead', 'dead', 'dead'])
    expect(deliveries.filter(({ reason }) => reason === 'the webhook is switched off')).not.toHaveLength(0)
    const webhook = await world.store.collection('webhooks').get({ _id: idOf('one') })
    expect(webhook).toMatchObject({
      enabled: false,
      disabledReason: 'it answered 410, which says that it is gone for good'
    })
    const { items } = await world.store.collection('auditEntries').list({ sortBy: 'position', sortOrder: 'desc' })
    expect(items[0]).toMatchObject({ actor: 'server', changes: [{ type: 'modifiedWebhook' }] })
    const attempts = world.sent.length
    await world.change('search')
    await pause()
    expect(world.sent).toHaveLength(attempts)
  })

  test('that answers 410 at an address that was replaced meanwhile stays on', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    world.answer = async () => {
      world.clock.now += SECOND
      const updatedAt = new Date(world.clock.now).toISOString()
      await world.store.collection('webhooks').update(idOf('one'), { url: 'https://receiver.example/two', updatedAt })
      return responseWith(410)
    }
    await world.change('search')
    await world.idle()
    const webhook = await world.store.collection('webhooks').get({ _id: idOf('one') })
    expect(webhook).toMatchObject({ enabled: true })
    world.answer = () => responseWith(410)
    await world.change('search')
    await waitUntil(async () => (await world.store.collection('webhooks').get({ _id: idOf('one') }))?.enabled === false)
  })

  /** Fails a message for three days, lets days go by, then fails one more. */
  async function failing(between: (world: Awaited<ReturnType<typeof openDeliveryHarness>>) => Promise<void>, days = 5) {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    world.answer = () => refused
    await world.change('search')
    await world.settled()
    for (let attempts = 1; attempts < 10; attempts++) {
      world.clock.now = Date.parse((await world.deliveries())[0]?.nextAttemptAt ?? '')
      await waitUntil(() => world.sent.length > attempts)
      await world.settled()
    }
    expect((await world.deliveries())[0]?.status).toBe('dead')
    world.clock.now = NOW + days * DAY
    await between(world)
    world.answer = () => refused
    await world.change('cart')
    await world.settled()
    const webhook = await world.store.collection('webhooks').get({ _id: idOf('one') })
    return { world, webhook }
  }

  test('that fails for five days is switched off, and told since when', async () => {
    const { webhook } = await failing(async () => {})
    expect(webhook).toMatchObject({
      enabled: false,
      disabledReason: 'nothing could be delivered to it since 2026-03-01T12:00:00.000Z'
    })
  })

  test('that fails for five days is switched off, also if the server was started anew', async () => {
    const { webhook } = await failing((world) => world.restart())
    expect(webhook?.enabled).toBe(false)
  })

  test('that fails for less than five days stays on', async () => {
    const { webhook } = await failing(async () => {}, 4.9)
    expect(webhook?.enabled).toBe(true)
  })

  test('that took a message in between stays on', async () => {
    const { webhook } = await failing(async (world) => {
      world.answer = () => responseWith(200)
      await world.change('search')
      await world.settled()
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

  test('that was told nothing for as long is not taken to have failed all the time', async () => {
    const { webhook } = await failing(async () => {}, 60)
    expect(webhook?.enabled).toBe(true)
  })

  test('that is removed is told nothing more, and nothing is left of what waited', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    world.answer = () => refused
    await world.change('search', 'search')
    await world.settled()
    await world.store.collection('webhooks').remove(idOf('one'))
    await world.idle()
    await waitUntil(async () => (await world.deliveries()).length === 0)
    expect(world.sent).toHaveLength(1)
  })
})

describe('what is kept of a receiver that is removed', () => {
  test.each([true, false])('goes with it, switched on or not (%s)', async (enabled) => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    await world.webhook('other')
    await world.change('search', 'cart')
    await world.idle()
    expect(await world.deliveries()).toHaveLength(4)
    await world.store.collection('webhooks').update(idOf('one'), { enabled })
    await world.store.collection('webhooks').remove(idOf('one'))
    await waitUntil(async () => (await world.deliveries()).length === 2)
    const kept = new Set((await world.deliveries()).map(({ receiver }) => receiver))
    expect([...kept]).toEqual([`webhook:${idOf('other')}`])
  })

  test('also if it is told of that itself, and without its secrets until then', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    const webhook = await world.store.collection('webhooks').get({ _id: idOf('one') })
    const secret = webhook?.secrets[0]?.secret ?? expect.fail('it has no secret')
    const kept: string[] = []
    world.store.subscribe(({ writes }) => {
      for (const { collection, after } of writes) {
        if (collection === 'deliveries' && after && after.status !== 'pending') kept.push(JSON.stringify(after))
      }
    })
    await world.removeFeature('search', 'one')
    await waitUntil(() => kept.length === 1)
    expect(kept[0]).toContain('"status":"delivered"')
    expect(kept[0]).not.toContain(secret)
    await waitUntil(async () => (await world.deliveries()).length === 0)
    expect((await world.store.collection('outbox').list()).count).toBe(0)
  })
})

describe('a delivery that somebody asks for again', () => {
  test('is made at once, under the same id', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    await world.change('search')
    await world.settled()
    const id = world.sent[0]?.id ?? ''
    world.clock.now += HOUR
    expect(await world.courier().redeliver(id)).toMatchObject({ _id: id, status: 'pending', attempts: [{}] })
    await world.settled()
    expect(world.sent.map((sent) => sent.id)).toEqual([id, id])
    expect(await world.deliveries()).toMatchObject([{ status: 'delivered', attempts: [{}, {}] }])
  })

  test('is made once where two ask at the same time', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    await world.change('search')
    await world.settled()
    const id = world.sent[0]?.id ?? ''
    const [first, second] = await Promise.all([world.courier().redeliver(id), world.courier().redeliver(id)])
    expect([first, second]).toMatchObject([{ status: 'pending' }, 'under way'])
    await world.settled()
    expect(world.sent).toHaveLength(2)
    expect(await world.deliveries()).toMatchObject([{ status: 'delivered', attempts: [{}, {}] }])
  })

  test('is not forgotten when the server ends before it is made', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    await world.change('search')
    await world.settled()
    world.answer = () => new Promise(() => {})
    const id = world.sent[0]?.id ?? ''
    await world.courier().redeliver(id)
    await waitUntil(() => world.sent.length === 2)
    await world.restart()
    await waitUntil(() => world.sent.length === 3)
    expect(new Set(world.sent.map((sent) => sent.id)).size).toBe(1)
  })

  test('of which there is none is answered by nothing', async () => {
    const world = await openDeliveryHarness()
    expect(await world.courier().redeliver(idOf('nothing'))).toBeUndefined()
  })

  test('is made once more only where all attempts were made', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    world.answer = () => responseWith(410)
    await world.change('search')
    await world.settled()
    const [dead] = await world.deliveries()
    const attempts = Array.from({ length: 10 }, () => ({ at: dead?.createdAt ?? '', error: 'no', durationMs: 1 }))
    await world.store.collection('deliveries').update(dead?._id ?? '', { attempts })
    await world.store.collection('webhooks').update(idOf('one'), { enabled: true })
    world.answer = () => refused
    await world.courier().redeliver(dead?._id ?? '')
    await waitUntil(async () => (await world.deliveries())[0]?.attempts.length === 11)
    expect((await world.deliveries())[0]?.status).toBe('dead')
  })
})

describe('settled deliveries', () => {
  test('are kept for thirty days', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    await world.change('search')
    await world.settled()
    world.clock.now += 29 * DAY
    await world.change('cart')
    await world.settled()
    await pause()
    expect(await world.deliveries()).toHaveLength(2)
    world.clock.now += 1 * DAY
    await waitUntil(async () => (await world.deliveries()).length === 1)
  })

  test('are at most a thousand of each receiver, the newest', async () => {
    const world = await openDeliveryHarness()
    await world.webhook('one')
    await world.webhook('other')
    for (let at = 0; at < 1100; at++) {
      world.clock.now += 1
      await world.change('search')
    }
    await world.idle()
    await world.settled()
    await waitUntil(async () => (await world.deliveries()).length <= 2000)
    const one = (await world.deliveries()).filter(({ receiver }) => receiver === `webhook:${idOf('one')}`)
    expect(one.length).toBeLessThanOrEqual(1000)
    expect(one.length).toBeGreaterThanOrEqual(900)
    expect(one.at(-1)?.createdAt).toBe(new Date(world.clock.now).toISOString())
  })
})

/** Long enough for the courier to look at the clock several times. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30))
}

import { DAY, fillStore, idOf } from '@burgee/testing/plan'
import { runs } from '@burgee/testing/scale'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OutboundResponse } from '../src/lib/outbound/safeFetch.ts'
import { openStore } from '../src/storage/open/openStore.ts'
import type { StoredDelivery } from '../src/storage/resources.ts'
import { type DeliveryHarness, openDeliveryHarness, responseWith, waitUntil } from './support/deliveryHarness.ts'
import { FlakyStore } from './support/flakyStore.ts'

const numRuns = runs({ quick: 10, full: 25 })

/** Something that happens to a server that delivers. */
type Step =
  | { readonly type: 'change'; readonly feature: string }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'restart' | 'crash' | 'storeFails' | 'storeHeals' }

const feature = fc.constantFrom('search', 'cart')

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('change' as const), feature }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.nat(DAY) }) },
  { weight: 2, arbitrary: fc.constantFrom('restart', 'crash').map((type) => ({ type })) },
  { weight: 1, arbitrary: fc.constantFrom('storeFails', 'storeHeals').map((type) => ({ type })) }
)

const outcome: fc.Arbitrary<OutboundResponse> = fc.oneof(
  { weight: 10, arbitrary: fc.constant(responseWith(204)) },
  { weight: 10, arbitrary: fc.constantFrom(responseWith(500), responseWith(302)) },
  { weight: 4, arbitrary: fc.nat(3 * DAY).map((ms) => responseWith(503, ms)) },
  { weight: 8, arbitrary: fc.constant({ type: 'failed', reason: 'nobody answered', durationMs: 1 } as const) },
  { weight: 1, arbitrary: fc.constant(responseWith(410)) }
)

const outcomes = fc.infiniteStream(fc.tuple(outcome, fc.nat(3)))

test('every message ends delivered or dead, in the order of its feature, whatever receivers, stores and processes do', {
  timeout: 10_000 + numRuns * 1000
}, async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 3, maxLength: 14 }),
    outcomes,
    async (steps, stream) => {
      const { world, flaky, written, kept } = await openFlakyWorld()
      const good = new Set<string>()
      world.answer = async ({ id }) => {
        const { value } = stream.next()
        const [given, ms] = value
        await new Promise((resolve) => setTimeout(resolve, ms))
        if (given.type === 'answered' && given.status === 204) good.add(id)
        return given
      }
      for (const one of steps) await take(one, world, flaky)
      flaky.isDown = false
      await untilIdle(world)
      expect([...kept.keys()].sort()).toEqual([...written].sort())
      for (const { _id, status, attempts, reason } of kept.values()) {
        expect(status).not.toBe('pending')
        const isGone = attempts.some((attempt) => attempt.status === 410)
        if (status === 'delivered') expect(good).toContain(_id)
        else if (!isGone && reason === undefined) expect(attempts).toHaveLength(10)
      }
      for (const receiver of ['one', 'other']) {
        for (const key of ['search', 'cart']) {
          const sent = world.sent.filter((one) => one.receiver === receiver && one.feature === key)
          const places = sent.map(({ id }) => written.indexOf(id))
          expect(places).toEqual([...places].sort((one, other) => one - other))
        }
      }
      await world.courier().close()
    }
  )
  await fc.assert(property, { numRuns })
})

/** A world with two receivers, whose courier goes by a store that can fail; every message that was written, in order; and what is known of its delivery, though it may be forgotten by now. */
async function openFlakyWorld() {
  const store = await openStore('memory:')
  await fillStore(store, { features: [] })
  const flaky = new FlakyStore(store)
  const written: string[] = []
  const kept = new Map<string, StoredDelivery>()
  store.subscribe(({ writes }) => {
    for (const { collection, after } of writes) {
      if (collection === 'outbox' && after) written.push(after._id)
      if (collection === 'deliveries' && after) kept.set(after._id, after)
    }
  })
  const world = await openDeliveryHarness(store, () => flaky)
  await world.webhook('one')
  await world.webhook('other')
  return { world, flaky, written, kept }
}

async function take(one: Step, world: DeliveryHarness, flaky: FlakyStore): Promise<void> {
  if (one.type === 'change') await world.change(one.feature)
  else if (one.type === 'wait') {
    world.clock.now += one.ms
    await new Promise((resolve) => setTimeout(resolve, 10))
  } else if (one.type === 'restart') await world.restart()
  else if (one.type === 'storeFails') flaky.isDown = true
  else if (one.type === 'storeHeals') flaky.isDown = false
  else await crash(world, flaky)
}

/** What was not kept by now is lost; what is under way may have reached the receiver. */
async function crash(world: DeliveryHarness, flaky: FlakyStore): Promise<void> {
  const wasDown = flaky.isDown
  flaky.isDown = true
  await world.courier().close()
  flaky.isDown = wasDown
  await world.begin()
}

/** Lets days go by until nothing waits. */
async function untilIdle(world: DeliveryHarness): Promise<void> {
  await waitUntil(async () => {
    const pending = (await world.deliveries()).filter(({ status }) => status === 'pending')
    const { count } = await world.store.collection('outbox').list()
    const next = Math.min(...pending.map(({ nextAttemptAt }) => Date.parse(nextAttemptAt ?? '')))
    if (Number.isFinite(next)) world.clock.now = Math.max(world.clock.now, next) + 2 * DAY
    return pending.length === 0 && count === 0
  })
}

test('what waits for the store is not lost, and nothing is sent again meanwhile', async () => {
  const { world, flaky } = await openFlakyWorld()
  flaky.isDown = true
  await world.change('search', 'search')
  await waitUntil(() => world.sent.length === 2)
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(world.sent).toHaveLength(2)
  expect(await world.deliveries()).toEqual([])
  flaky.isDown = false
  await world.idle()
  expect(world.sent).toHaveLength(4)
  expect((await world.deliveries()).map(({ status }) => status)).toEqual(Array(4).fill('delivered'))
})

test('what could not be kept before the server ended is told again under the same id', async () => {
  const { world, flaky } = await openFlakyWorld()
  flaky.isDown = true
  await world.change('search')
  await waitUntil(() => world.sent.length === 2)
  await crash(world, flaky)
  flaky.isDown = false
  await world.idle()
  const ids = world.sent.map(({ id }) => id)
  expect(ids.slice(2).sort()).toEqual(ids.slice(0, 2).sort())
  expect(await world.store.collection('webhooks').get({ _id: idOf('one') })).toMatchObject({ enabled: true })
})

test('what could not be kept, for a store that is back a moment too late, is told again', async () => {
  const { world, flaky } = await openFlakyWorld()
  flaky.isDown = true
  await world.change('search')
  await waitUntil(() => world.sent.length === 2)
  world.onWarning = () => {
    flaky.isDown = false
  }
  await world.courier().close()
  expect((await world.deliveries()).map(({ status }) => status)).toContain('pending')
  await world.begin()
  await world.idle()
  expect((await world.deliveries()).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
})

import { DAY, fillStore, idOf } from '@burgee/testing/plan'
import { runs } from '@burgee/testing/scale'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OutboundResponse } from '../../src/lib/outbound/safeFetch.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import type { StoredDelivery } from '../../src/storage/resources/notification.ts'
import { type DeliveryHarness, openDeliveryHarness, responseWith, waitUntil } from '../support/deliveryHarness.ts'
import { FlakyStore } from '../support/flakyStore.ts'

const numRuns = runs({ quick: 3, full: 25 })

/** A step of a server with deliveries. */
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

test('delivers or gives up every message, in the order of its feature, despite failures of receivers, stores and processes', {
  timeout: 180_000 + numRuns * 1000
}, async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 3, maxLength: 14 }),
    outcomes,
    async (steps, stream) => {
      const { harness, flaky, written, kept } = await openFlakyHarness()
      const good = new Set<string>()
      harness.answer = async ({ id }) => {
        const { value } = stream.next()
        const [given, ms] = value
        await new Promise((resolve) => setTimeout(resolve, ms))
        if (given.type === 'answered' && given.status === 204) good.add(id)
        return given
      }
      for (const one of steps) await take(one, harness, flaky)
      flaky.isDown = false
      await untilIdle(harness)
      expect([...kept.keys()].sort()).toEqual([...written].sort())
      for (const { _id, status, attempts, reason } of kept.values()) {
        expect(status).not.toBe('pending')
        const isGone = attempts.some((attempt) => attempt.status === 410)
        if (status === 'delivered') expect(good).toContain(_id)
        else if (!isGone && reason === undefined) expect(attempts).toHaveLength(10)
      }
      for (const receiver of ['one', 'other']) {
        for (const key of ['search', 'cart']) {
          const sent = harness.sent.filter((one) => one.receiver === receiver && one.feature === key)
          const places = sent.map(({ id }) => written.indexOf(id))
          expect(places).toEqual([...places].sort((one, other) => one - other))
        }
      }
      await harness.worker().close()
    }
  )
  await fc.assert(property, { numRuns })
})

/** Opens a harness with two receivers on a store that can fail. Records every message in order, and the last state of its delivery. */
async function openFlakyHarness() {
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
  const harness = await openDeliveryHarness(store, () => flaky)
  await harness.webhook('one')
  await harness.webhook('other')
  return { harness, flaky, written, kept }
}

async function take(one: Step, harness: DeliveryHarness, flaky: FlakyStore): Promise<void> {
  if (one.type === 'change') await harness.change(one.feature)
  else if (one.type === 'wait') {
    harness.clock.now += one.ms
    await harness.polls()
  } else if (one.type === 'restart') await harness.restart()
  else if (one.type === 'storeFails') flaky.isDown = true
  else if (one.type === 'storeHeals') flaky.isDown = false
  else await crash(harness, flaky)
}

/** Simulates a crash: writes are lost from now on, while messages in flight may have reached the receiver. */
async function crash(harness: DeliveryHarness, flaky: FlakyStore): Promise<void> {
  const wasDown = flaky.isDown
  flaky.isDown = true
  await harness.worker().close()
  flaky.isDown = wasDown
  await harness.start()
}

/** Advances the clock until nothing is pending. */
async function untilIdle(harness: DeliveryHarness): Promise<void> {
  await waitUntil(async () => {
    const pending = (await harness.deliveries()).filter(({ status }) => status === 'pending')
    const { count } = await harness.store.collection('outbox').list()
    const next = Math.min(...pending.map(({ nextAttemptAt }) => Date.parse(nextAttemptAt ?? '')))
    if (Number.isFinite(next)) harness.clock.now = Math.max(harness.clock.now, next) + 2 * DAY
    return pending.length === 0 && count === 0
  })
}

test('waits for the store without losing or repeating a message', async () => {
  const { harness, flaky } = await openFlakyHarness()
  flaky.isDown = true
  await harness.change('search', 'search')
  await waitUntil(() => harness.sent.length === 2)
  await harness.polls()
  expect(harness.sent).toHaveLength(2)
  expect(await harness.deliveries()).toEqual([])
  flaky.isDown = false
  await harness.finished()
  expect(harness.sent).toHaveLength(4)
  expect((await harness.deliveries()).map(({ status }) => status)).toEqual(Array(4).fill('delivered'))
})

test('repeats a message with the same id when its result was not saved before the stop', async () => {
  const { harness, flaky } = await openFlakyHarness()
  flaky.isDown = true
  await harness.change('search')
  await waitUntil(() => harness.sent.length === 2)
  await crash(harness, flaky)
  flaky.isDown = false
  await harness.finished()
  const ids = harness.sent.map(({ id }) => id)
  expect(ids.slice(2).sort()).toEqual(ids.slice(0, 2).sort())
  expect(await harness.store.collection('webhooks').get({ _id: idOf('one') })).toMatchObject({ enabled: true })
})

test('repeats a message when the store recovers too late to save its result', async () => {
  const { harness, flaky } = await openFlakyHarness()
  flaky.isDown = true
  await harness.change('search')
  await waitUntil(() => harness.sent.length === 2)
  harness.onWarning = () => {
    flaky.isDown = false
  }
  await harness.worker().close()
  expect((await harness.deliveries()).map(({ status }) => status)).toContain('pending')
  await harness.start()
  await harness.finished()
  expect((await harness.deliveries()).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
})

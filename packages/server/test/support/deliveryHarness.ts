import { fillStore, idOf, NOW } from '@burgee/testing/plan'
import { pino } from 'pino'
import { afterEach, expect } from 'vitest'
import { createEditRunner } from '../../src/access/audit/edit.ts'
import { serverCaller } from '../../src/access/permissions/serverCaller.ts'
import { ensureOrganization } from '../../src/identity/organizations/ensureOrganization.ts'
import type { DeliveryChannel } from '../../src/integrations/outbox/deliveryChannel.ts'
import type { DeliveryTimings } from '../../src/integrations/outbox/deliveryTimings.ts'
import { type DeliveryWorker, openDeliveryWorker } from '../../src/integrations/outbox/deliveryWorker.ts'
import { createWebhookChannel } from '../../src/integrations/webhooks/webhookChannel.ts'
import { randomIdGenerator } from '../../src/lib/idGenerator.ts'
import type { OutboundRequest, OutboundResponse, SafeFetch } from '../../src/lib/outbound/safeFetch.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import type { StoredDelivery, StoredWebhook } from '../../src/storage/resources.ts'
import type { Store } from '../../src/storage/store.ts'

/** A courier on a store with project `shop`, whose receivers answer as a test says. */
export interface DeliveryHarness {
  readonly store: Store
  readonly clock: { now: number }
  /** What receivers answer, by what they are asked; a test replaces it. */
  answer: (sent: SentMessage) => OutboundResponse | Promise<OutboundResponse>
  /** Everything that was sent, in order. */
  readonly sent: SentMessage[]
  /** Every attempt and every settled message that was told of, as metrics count them. */
  readonly counted: string[]
  readonly courier: () => DeliveryWorker
  /** Adds a webhook about everything. */
  readonly webhook: (name: string) => Promise<void>
  /** Makes changes of features, one after the other. */
  readonly change: (...features: string[]) => Promise<void>
  /** Removes a feature, and the webhook that is about it. */
  readonly removeFeature: (feature: string, webhook: string) => Promise<void>
  /** Is told what the courier warns of; a test replaces it. */
  onWarning: (line: string) => void
  readonly deliveries: () => Promise<readonly StoredDelivery[]>
  /** Waits until nothing is left to deliver that is due, and the outbox is empty. */
  readonly settled: () => Promise<void>
  /** Waits until nothing is left to deliver, ever. */
  readonly idle: () => Promise<void>
  /** Starts another courier on the same store, which the last one was on. */
  readonly begin: () => Promise<void>
  /** Ends the courier and starts another one. */
  readonly restart: () => Promise<void>
}

/** One attempt, as the receiver sees it. */
export interface SentMessage {
  readonly receiver: string
  /** The `webhook-id`. */
  readonly id: string
  readonly feature: string
  readonly at: number
}

/** Fast enough for tests to wait for. */
const pace: DeliveryTimings = { pollMs: 5, flushMs: 20, storeRetryMs: 10, graceMs: 50 }

const ends: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Opens a world, on a store in memory unless one is given. */
export async function openDeliveryHarness(
  store?: Store,
  around: (store: Store) => Store = (same) => same
): Promise<DeliveryHarness> {
  const own = store ?? (await openStore('memory:'))
  const clock = { now: NOW }
  const now = () => clock.now
  if (!store) await fillStore(own, { features: [] })
  const { key: organization } = await ensureOrganization(own, { now, ids: randomIdGenerator })
  const edit = createEditRunner({ store: own, ids: randomIdGenerator, now })
  const sent: SentMessage[] = []
  const counted: string[] = []
  const send: SafeFetch = async (request, signal) => {
    const one = sentAs(request, clock.now)
    sent.push(one)
    return Promise.race([world.answer(one), whenCut(signal)])
  }
  const open = (): Promise<DeliveryWorker> => {
    const seen = around(own)
    return openDeliveryWorker({
      store: seen,
      edit: createEditRunner({ store: seen, ids: randomIdGenerator, now }),
      send,
      channels: {
        webhook: createWebhookChannel({ store: seen, ids: randomIdGenerator }),
        observability: nobody
      },
      organization,
      now,
      random: () => 0,
      log: pino({ level: 'warn' }, { write: (line: string) => world.onWarning(line) }),
      timings: pace,
      onAttempt: (...told) => counted.push(told.join(' ')),
      onFinished: (...told) => counted.push(told.join(' '))
    })
  }
  let courier = await open()
  ends.push(() => courier.close())
  const caller = serverCaller(organization)
  const world: DeliveryHarness = {
    store: own,
    clock,
    answer: () => responseWith(204),
    sent,
    counted,
    courier: () => courier,
    webhook: async (name) => {
      await own.collection('webhooks').insert(webhookAs(name))
    },
    change: async (...features) => {
      for (const feature of features) {
        const changes = [{ type: 'modifiedFeature', newContents: { key: feature }, previousContents: {} } as const]
        await edit(caller, async ({ recordChanges }) =>
          recordChanges({ _project: idOf('shop'), _feature: idOf(feature) }, changes)
        )
      }
    },
    removeFeature: async (feature, webhook) => {
      const previousContents = { _id: idOf(feature), key: feature }
      const changes = [{ type: 'deletedFeature', newContents: null, previousContents } as const]
      await own.collection('webhooks').update(idOf(webhook), { _feature: idOf(feature), events: ['deletedFeature'] })
      await edit(caller, async ({ store, recordChanges }) => {
        await store.collection('webhooks').remove(idOf(webhook))
        recordChanges({ _project: idOf('shop') }, changes)
      })
    },
    onWarning: () => {},
    deliveries: async () => (await own.collection('deliveries').list({ sortBy: 'createdAt' })).items,
    settled: () =>
      waitUntil(async () => {
        const { items } = await own.collection('outbox').list()
        return items.length === 0 && isQuiet(await world.deliveries(), clock.now)
      }),
    idle: () =>
      waitUntil(async () => {
        const { count } = await own.collection('outbox').list()
        return count === 0 && (await world.deliveries()).every(({ status }) => status !== 'pending')
      }),
    begin: async () => {
      courier = await open()
    },
    restart: async () => {
      await courier.close()
      await world.begin()
    }
  }
  return world
}

/** Whether each lane with something to deliver has a message that is not due: those behind it wait for their turn. */
function isQuiet(deliveries: readonly StoredDelivery[], now: number): boolean {
  const pending = deliveries.filter(({ status }) => status === 'pending')
  const isResting = ({ receiver, _feature }: StoredDelivery) =>
    pending.some((other) => {
      const isSame = other.receiver === receiver && other._feature === _feature
      return isSame && Date.parse(other.nextAttemptAt ?? '') > now
    })
  return pending.every(isResting)
}

/** Ends with the attempt when that is cut off. */
function whenCut(signal: AbortSignal | undefined): Promise<OutboundResponse> {
  const outcome = { type: 'failed', reason: 'it was cut off', durationMs: 1 } as const
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(outcome)))
}

const nobody: DeliveryChannel = {
  buildMessages: async () => [],
  prepare: async () => undefined,
  exists: async () => false,
  removedBy: () => undefined
}

function webhookAs(name: string): StoredWebhook {
  const at = new Date(NOW).toISOString()
  return {
    _id: idOf(name),
    createdAt: at,
    updatedAt: at,
    _project: idOf('shop'),
    name,
    url: `https://receiver.example/${name}`,
    events: ['modifiedFeature'],
    _environments: [],
    enabled: true,
    secrets: [{ secret: randomIdGenerator.webhookSecret() }]
  }
}

function sentAs({ url, headers, body }: OutboundRequest, at: number): SentMessage {
  const [change] = JSON.parse(body).changes
  return {
    receiver: new URL(url).pathname.slice(1),
    id: headers['webhook-id'] ?? '',
    feature: (change.newContents ?? change.previousContents).key,
    at
  }
}

/** An answer with this status. */
export function responseWith(status: number, retryAfterMs?: number): OutboundResponse {
  return {
    type: 'answered',
    status,
    excerpt: '',
    durationMs: 1,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs })
  }
}

/** Waits until something holds. */
export async function waitUntil(holds: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(holds, { interval: 5, timeout: 8000 }).toBe(true)
}

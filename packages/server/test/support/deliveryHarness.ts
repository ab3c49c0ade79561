import { fillStore, idOf, NOW } from '@burgee/testing/plan'
import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { createEditRunner } from '../../src/access/audit/edit.ts'
import { serverCaller } from '../../src/access/permissions/serverCaller.ts'
import { ensureOrganization } from '../../src/identity/organizations/ensureOrganization.ts'
import type { DeliveryChannel } from '../../src/integrations/outbox/deliveryChannel.ts'
import type { DeliveryTimings } from '../../src/integrations/outbox/deliveryContext.ts'
import { openSharedDeliveries, type SharedDeliveries } from '../../src/integrations/outbox/sharedDeliveries.ts'
import { createWebhookChannel } from '../../src/integrations/webhooks/webhookChannel.ts'
import { randomIdGenerator } from '../../src/lib/idGenerator.ts'
import type { OutboundRequest, OutboundResponse, SafeFetch } from '../../src/lib/outbound/safeFetch.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import type { StoredDelivery, StoredWebhook } from '../../src/storage/resources/notification.ts'
import type { Store } from '../../src/storage/store.ts'

/** A delivery worker on a store with project `shop`, with simulated receivers. */
export interface DeliveryHarness {
  readonly store: Store
  readonly clock: { now: number }
  /** Responds to a message; tests replace it. */
  answer: (sent: SentMessage) => OutboundResponse | Promise<OutboundResponse>
  /** Everything that was sent, in order. */
  readonly sent: SentMessage[]
  /** The calls of `onAttempt` and `onFinished`, as metrics count them. */
  readonly counted: string[]
  readonly worker: () => SharedDeliveries
  /** Adds a webhook for all changes. */
  readonly webhook: (name: string) => Promise<void>
  /** Changes features, one after the other. */
  readonly change: (...features: string[]) => Promise<void>
  /** Deletes a feature with its webhook. */
  readonly removeFeature: (feature: string, webhook: string) => Promise<void>
  /** Receives the worker's warnings; tests replace it. */
  onWarning: (line: string) => void
  readonly deliveries: () => Promise<readonly StoredDelivery[]>
  /** Resolves when no delivery is due, and the outbox is empty. */
  readonly quiet: () => Promise<void>
  /** Resolves when no delivery is pending, and the outbox is empty. */
  readonly finished: () => Promise<void>
  /** Resolves when the worker has polled several times, for assertions that nothing happens. */
  readonly polls: () => Promise<void>
  /** Starts another worker on the store of the last one. */
  readonly start: () => Promise<void>
  /** Stops the worker and starts another one. */
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

const pace: DeliveryTimings = { pollMs: 5, flushMs: 20, storeRetryMs: 10, graceMs: 50 }

/** Opens a harness, on a store in memory by default. */
export async function openDeliveryHarness(
  store?: Store,
  around: (store: Store) => Store = (same) => same
): Promise<DeliveryHarness> {
  const own = store ?? (await openStore('memory:'))
  const clock = { now: NOW }
  let clockReads = 0
  const now = () => {
    clockReads++
    return clock.now
  }
  if (!store) await fillStore(own, { features: [] })
  const { key: organization } = await ensureOrganization(own, { now, ids: randomIdGenerator })
  const edit = createEditRunner({ store: own, ids: randomIdGenerator, now })
  const sent: SentMessage[] = []
  const counted: string[] = []
  const send: SafeFetch = async (request, signal) => {
    const one = sentAs(request, clock.now)
    sent.push(one)
    return Promise.race([harness.answer(one), whenAborted(signal)])
  }
  const open = (): Promise<SharedDeliveries> => {
    const seen = around(own)
    return openSharedDeliveries({
      runExclusively: (_name, start) => start(),
      store: seen,
      edit: createEditRunner({ store: seen, ids: randomIdGenerator, now }),
      send,
      channels: {
        webhook: createWebhookChannel({ store: seen, ids: randomIdGenerator }),
        observability: noReceivers
      },
      organization,
      now,
      random: () => 0,
      log: pino({ level: 'warn' }, { write: (line: string) => harness.onWarning(line) }),
      timings: pace,
      onAttempt: (...args) => counted.push(args.join(' ')),
      onFinished: (...args) => counted.push(args.join(' '))
    })
  }
  let worker = await open()
  onTestFinished(() => worker.close())
  const caller = serverCaller(organization)
  const harness: DeliveryHarness = {
    store: own,
    clock,
    answer: () => responseWith(204),
    sent,
    counted,
    worker: () => worker,
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
    quiet: () =>
      waitUntil(async () => {
        const { items } = await own.collection('outbox').list()
        return items.length === 0 && isQuiet(await harness.deliveries(), clock.now)
      }),
    finished: () =>
      waitUntil(async () => {
        const { count } = await own.collection('outbox').list()
        return count === 0 && (await harness.deliveries()).every(({ status }) => status !== 'pending')
      }),
    polls: () => {
      const wanted = clockReads + CLOCK_READS
      return waitUntil(() => clockReads >= wanted)
    },
    start: async () => {
      worker = await open()
    },
    restart: async () => {
      await worker.close()
      await harness.start()
    }
  }
  return harness
}

/** Whether each partition with pending deliveries has one that is not due, for which the later ones wait. */
function isQuiet(deliveries: readonly StoredDelivery[], now: number): boolean {
  const pending = deliveries.filter(({ status }) => status === 'pending')
  const isDelayed = ({ receiver, _feature }: StoredDelivery) =>
    pending.some((other) => {
      const isSame = other.receiver === receiver && other._feature === _feature
      return isSame && Date.parse(other.nextAttemptAt ?? '') > now
    })
  return pending.every(isDelayed)
}

/** Resolves when the attempt is aborted. */
function whenAborted(signal: AbortSignal | undefined): Promise<OutboundResponse> {
  const outcome = { type: 'failed', reason: 'it was aborted', durationMs: 1 } as const
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(outcome)))
}

/** Several polls: each reads the clock at least twice. */
const CLOCK_READS = 12

const noReceivers: DeliveryChannel = {
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

/** Returns a response with a status. */
export function responseWith(status: number, retryAfterMs?: number): OutboundResponse {
  return {
    type: 'answered',
    status,
    excerpt: '',
    durationMs: 1,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs })
  }
}

/** Polls until a condition holds. */
export async function waitUntil(holds: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(holds, { interval: 5 }).toBe(true)
}

import { pino } from 'pino'
import { afterEach, expect } from 'vitest'
import { serverCaller } from '../src/access/serverCaller.ts'
import { editsOf } from '../src/audit/edit.ts'
import { setUpOrganization } from '../src/auth/organization.ts'
import { type Courier, openCourier } from '../src/deliveries/courier.ts'
import type { CourierPace } from '../src/deliveries/courierPace.ts'
import type { Receivers } from '../src/deliveries/receivers.ts'
import { randomIds } from '../src/id.ts'
import type { Answer, OutboundRequest, Send } from '../src/outbound/send.ts'
import { openStore } from '../src/store/openStore.ts'
import type { StoredDelivery, StoredWebhook } from '../src/store/resources.ts'
import type { Store } from '../src/store/store.ts'
import { webhookReceivers } from '../src/webhooks/webhookReceivers.ts'
import { fill, idOf, NOW } from './plan.ts'

/** A courier on a store with project `shop`, whose receivers answer as a test says. */
export interface World {
  readonly store: Store
  readonly clock: { now: number }
  /** What receivers answer, by what they are asked; a test replaces it. */
  answer: (sent: Sent) => Answer | Promise<Answer>
  /** Everything that was sent, in order. */
  readonly sent: Sent[]
  /** Every attempt and every settled message that was told of, as metrics count them. */
  readonly counted: string[]
  readonly courier: () => Courier
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
export interface Sent {
  readonly receiver: string
  /** The `webhook-id`. */
  readonly id: string
  readonly feature: string
  readonly at: number
}

/** Fast enough for tests to wait for. */
const pace: CourierPace = { lookMs: 5, emptyMs: 20, storeRetryMs: 10, graceMs: 50 }

const ends: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Opens a world, on a store in memory unless one is given. */
export async function openWorld(store?: Store, around: (store: Store) => Store = (same) => same): Promise<World> {
  const own = store ?? (await openStore('memory:'))
  const clock = { now: NOW }
  const now = () => clock.now
  if (!store) await fill(own, { features: [] })
  const { key: organization } = await setUpOrganization(own, { now, ids: randomIds })
  const edit = editsOf({ store: own, ids: randomIds, now })
  const sent: Sent[] = []
  const counted: string[] = []
  const send: Send = async (request, signal) => {
    const one = sentAs(request, clock.now)
    sent.push(one)
    return Promise.race([world.answer(one), whenCut(signal)])
  }
  const open = (): Promise<Courier> => {
    const seen = around(own)
    return openCourier({
      store: seen,
      edit: editsOf({ store: seen, ids: randomIds, now }),
      send,
      receivers: {
        webhook: webhookReceivers({ store: seen, ids: randomIds }),
        observability: nobody
      },
      organization,
      now,
      random: () => 0,
      log: pino({ level: 'warn' }, { write: (line: string) => world.onWarning(line) }),
      pace,
      onAttempt: (...told) => counted.push(told.join(' ')),
      onSettled: (...told) => counted.push(told.join(' '))
    })
  }
  let courier = await open()
  ends.push(() => courier.close())
  const caller = serverCaller(organization)
  const world: World = {
    store: own,
    clock,
    answer: () => answered(204),
    sent,
    counted,
    courier: () => courier,
    webhook: async (name) => {
      await own.collection('webhooks').insert(webhookAs(name))
    },
    change: async (...features) => {
      for (const feature of features) {
        const changes = [{ type: 'modifiedFeature', newContents: { key: feature }, previousContents: {} } as const]
        await edit(caller, async ({ note }) => note({ _project: idOf('shop'), _feature: idOf(feature) }, changes))
      }
    },
    removeFeature: async (feature, webhook) => {
      const previousContents = { _id: idOf(feature), key: feature }
      const changes = [{ type: 'deletedFeature', newContents: null, previousContents } as const]
      await own.collection('webhooks').update(idOf(webhook), { _feature: idOf(feature), events: ['deletedFeature'] })
      await edit(caller, async ({ store, note }) => {
        await store.collection('webhooks').remove(idOf(webhook))
        note({ _project: idOf('shop') }, changes)
      })
    },
    onWarning: () => {},
    deliveries: async () => (await own.collection('deliveries').list({ sortBy: 'createdAt' })).items,
    settled: () =>
      until(async () => {
        const { items } = await own.collection('outbox').list()
        return items.length === 0 && isQuiet(await world.deliveries(), clock.now)
      }),
    idle: () =>
      until(async () => {
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
function whenCut(signal: AbortSignal | undefined): Promise<Answer> {
  const outcome = { type: 'failed', reason: 'it was cut off', durationMs: 1 } as const
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(outcome)))
}

const nobody: Receivers = {
  messagesOf: async () => [],
  prepare: async () => undefined,
  exists: async () => false,
  withdrawnBy: () => undefined
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
    secrets: [{ secret: randomIds.webhookSecret() }]
  }
}

function sentAs({ url, headers, body }: OutboundRequest, at: number): Sent {
  const [change] = JSON.parse(body).changes
  return {
    receiver: new URL(url).pathname.slice(1),
    id: headers['webhook-id'] ?? '',
    feature: (change.newContents ?? change.previousContents).key,
    at
  }
}

/** An answer with this status. */
export function answered(status: number, retryAfterMs?: number): Answer {
  return {
    type: 'answered',
    status,
    excerpt: '',
    durationMs: 1,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs })
  }
}

/** Waits until something holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(holds, { interval: 5, timeout: 8000 }).toBe(true)
}

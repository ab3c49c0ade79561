import { DAY } from '../duration.ts'
import type { Receiver, StoredDelivery } from '../store/resources.ts'
import type { Backlog } from './backlog.ts'
import { isThere, type ReceiversByKind } from './receivers.ts'

interface Dependencies {
  readonly backlog: Backlog
  readonly receivers: ReceiversByKind
  readonly now: () => number
}

/**
 * Forgets settled deliveries, of all receivers or of one: those that are older than a month, those that are too many, and those of
 * receivers that are no more. @throws {StoreUnavailableError}
 */
export async function forgetOld({ backlog, receivers, now }: Dependencies, only?: Receiver): Promise<void> {
  const deliveries = await backlog.every(only === undefined ? {} : { receiver: only })
  const isOld = ({ updatedAt }: StoredDelivery) => Date.parse(updatedAt) + MONTH <= now()
  const old: string[] = []
  for (const [receiver, newestFirst] of settledByReceiver(deliveries)) {
    const kept = (await isThere(receivers, receiver)) ? KEPT : 0
    old.push(...newestFirst.filter((delivery, at) => at >= kept || isOld(delivery)).map(({ _id }) => _id))
  }
  await backlog.forget(old)
}

/** How long settled deliveries are kept, in milliseconds: thirty days. */
const MONTH = 30 * DAY

/** How many of a receiver are left. Until it is looked at again, they become a thousand. */
const KEPT = 900

/** How many deliveries of a receiver are settled before it is looked at again. */
export const BETWEEN_LOOKS = 100

/** What is settled, the newest of a receiver first. */
function settledByReceiver(deliveries: readonly StoredDelivery[]): Map<Receiver, StoredDelivery[]> {
  const groups = new Map<Receiver, StoredDelivery[]>()
  const settled = deliveries.filter(({ status }) => status !== 'pending')
  for (const delivery of settled.sort((one, other) => (one.updatedAt > other.updatedAt ? -1 : 1))) {
    const group = groups.get(delivery.receiver)
    if (group) group.push(delivery)
    else groups.set(delivery.receiver, [delivery])
  }
  return groups
}

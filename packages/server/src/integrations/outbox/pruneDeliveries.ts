import { DAY } from '../../lib/time.ts'
import type { ReceiverId, StoredDelivery } from '../../storage/resources.ts'
import { type DeliveryChannels, hasReceiver } from './deliveryChannel.ts'
import type { Outbox } from './outbox.ts'

interface Dependencies {
  readonly outbox: Outbox
  readonly channels: DeliveryChannels
  readonly now: () => number
}

/**
 * Forgets settled deliveries, of all receivers or of one: those that are older than a month, those that are too many, and those of
 * receivers that are no more. @throws {StoreUnavailableError}
 */
export async function pruneDeliveries({ outbox, channels, now }: Dependencies, only?: ReceiverId): Promise<void> {
  const deliveries = await outbox.list(only === undefined ? {} : { receiver: only })
  const isOld = ({ updatedAt }: StoredDelivery) => Date.parse(updatedAt) + MONTH <= now()
  const old: string[] = []
  for (const [receiver, newestFirst] of finishedByReceiver(deliveries)) {
    const kept = (await hasReceiver(channels, receiver)) ? MAX_KEPT_PER_RECEIVER : 0
    old.push(...newestFirst.filter((delivery, at) => at >= kept || isOld(delivery)).map(({ _id }) => _id))
  }
  await outbox.deleteFinished(old)
}

/** How long settled deliveries are kept, in milliseconds: thirty days. */
const MONTH = 30 * DAY

/** How many of a receiver are left. Until it is looked at again, they become a thousand. */
const MAX_KEPT_PER_RECEIVER = 900

/** How many deliveries of a receiver are settled before it is looked at again. */
export const PRUNE_INTERVAL = 100

/** What is settled, the newest of a receiver first. */
function finishedByReceiver(deliveries: readonly StoredDelivery[]): Map<ReceiverId, StoredDelivery[]> {
  const groups = new Map<ReceiverId, StoredDelivery[]>()
  const settled = deliveries.filter(({ status }) => status !== 'pending')
  for (const delivery of settled.sort((one, other) => (one.updatedAt > other.updatedAt ? -1 : 1))) {
    const group = groups.get(delivery.receiver)
    if (group) group.push(delivery)
    else groups.set(delivery.receiver, [delivery])
  }
  return groups
}

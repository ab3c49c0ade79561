import { forEachYielding } from '../../lib/time.ts'
import type { Store } from '../../storage/store.ts'
import type { DeliveryChannels } from './deliveryChannel.ts'

/** Has each change that somebody is to be told of come with its messages: what is durable is told, and nothing else is. Returns a function that ends it. */
export function writeOutboxMessages(store: Store, receivers: DeliveryChannels): () => void {
  return store.beforeCommit(async (change, transaction) => {
    if (!change.writes.some(({ collection }) => collection === 'auditEntries')) return
    const outbox = transaction.collection('outbox')
    for (const { buildMessages } of Object.values(receivers)) {
      await forEachYielding(await buildMessages(change, transaction), (message) => outbox.insert(message))
    }
  })
}

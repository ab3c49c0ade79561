import type { Store } from '../store/store.ts'
import { oneByOne } from './oneByOne.ts'
import type { ReceiversByKind } from './receivers.ts'

/** Has each change that somebody is to be told of come with its messages: what is durable is told, and nothing else is. Returns a function that ends it. */
export function writeMessages(store: Store, receivers: ReceiversByKind): () => void {
  return store.accompany(async (change, transaction) => {
    if (!change.writes.some(({ collection }) => collection === 'auditEntries')) return
    const outbox = transaction.collection('outbox')
    for (const { messagesOf } of Object.values(receivers)) {
      await oneByOne(await messagesOf(change, transaction), (message) => outbox.insert(message))
    }
  })
}

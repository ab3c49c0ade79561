import { forEachYielding, toIsoString } from '../../lib/time.ts'
import type { StoredDelivery, StoredOutboxMessage } from '../../storage/resources/notification.ts'
import type { Change, ItemMatch, Store } from '../../storage/store.ts'
import type { DeliveryChannels } from './deliveryChannel.ts'
import { type PendingDelivery, toPendingDelivery } from './queue/partition.ts'

/**
 * The transactional outbox and the deliveries made from it. One server at a time opens, flushes and prunes it; the
 * others only write messages and reopen finished deliveries. Elsewhere, the collections are only counted, and the
 * deliveries of a deleted project removed.
 */
export class Outbox {
  readonly #store: Store
  /** The messages in the collection `outbox`, by id. */
  readonly #messages = new Map<string, StoredOutboxMessage>()
  /** The ids of messages in `#messages` whose delivery has finished or was discarded. */
  readonly #finished = new Set<string>()
  #unsubscribe = (): void => {}

  constructor(store: Store) {
    this.#store = store
  }

  /**
   * Returns all deliveries so far, including finished ones, and calls `onMessage` for each later message once it is
   * durable.
   */
  async open(onMessage: (pending: PendingDelivery) => void): Promise<readonly StoredDelivery[]> {
    // First, so that messages of other servers that are written meanwhile are not missed.
    this.#unsubscribe = this.#store.subscribe((change) => this.#follow(change, onMessage))
    const deliveries = await listDeliveries(this.#store)
    const { items } = await this.#store.collection('outbox').list()
    for (const message of items) this.#messages.set(message._id, message)
    return deliveries
  }

  /** Returns the deliveries that match, including finished ones. */
  list(where: DeliveryFilter): Promise<readonly StoredDelivery[]> {
    return listDeliveries(this.#store, where)
  }

  /** Returns the deliveries that are to be attempted and are not in the outbox. */
  async listPending(): Promise<readonly StoredDelivery[]> {
    return (await this.#store.collection('deliveries').list({ where: { status: 'pending' } })).items
  }

  /** Returns a delivery with its position in the audit log. */
  async toPending(delivery: StoredDelivery): Promise<PendingDelivery> {
    const entry = await this.#store.collection('auditEntries').get({ _id: delivery._entry })
    return toPendingDelivery(delivery, entry?.position)
  }

  /**
   * Saves the state of a delivery. A finished one loses its copy of the webhook, which has secrets.
   * @throws {StoreUnavailableError}
   */
  async save(delivery: StoredDelivery): Promise<void> {
    const saved = delivery.status === 'pending' ? delivery : withoutWebhook(delivery)
    await this.#store.transaction(async (transaction) => {
      const deliveries = transaction.collection('deliveries')
      // An update keeps members that it does not name, so members that may be gone are named.
      const exists = await deliveries.update(saved._id, { nextAttemptAt: undefined, reason: undefined, ...saved })
      if (!exists) await deliveries.insert(saved)
    })
    if (saved.status !== 'pending') this.#finish(saved)
  }

  /** Saves a finished delivery as one whose next attempt is due. Returns it. @throws {StoreUnavailableError} */
  async reopen({ reason: _, ...delivery }: StoredDelivery, at: string): Promise<StoredDelivery> {
    const reopened: StoredDelivery = { ...delivery, status: 'pending', nextAttemptAt: at, updatedAt: at }
    await this.save(reopened)
    return reopened
  }

  /** Deletes a delivery that will not be made. @throws {StoreUnavailableError} */
  async discard(delivery: StoredDelivery): Promise<void> {
    // Marked first, so that a concurrent flush does not insert the delivery again.
    this.#finish(delivery)
    await this.#store.collection('deliveries').remove(delivery._id)
  }

  /**
   * Deletes the given deliveries that are still finished; one may have been redelivered meanwhile.
   * @throws {StoreUnavailableError}
   */
  async deleteFinished(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await this.#store.transaction(async (transaction) => {
      const deliveries = transaction.collection('deliveries')
      await forEachYielding(ids, async (_id) => {
        const delivery = await deliveries.get({ _id })
        if (delivery && delivery.status !== 'pending') await deliveries.remove(_id)
      })
    })
  }

  /**
   * Moves all messages from `outbox` to `deliveries`. In the file store, the outbox is part of the document, which is
   * in memory and in each snapshot, so it must stay small however long receivers fail. The collections are written one
   * after the other; if the server stops in between, the delivery takes precedence.
   * @throws {StoreUnavailableError}
   */
  async flush(): Promise<void> {
    const messages = [...this.#messages.values()]
    if (messages.length === 0) return
    await this.#store.transaction(async (transaction) => {
      const deliveries = transaction.collection('deliveries')
      await forEachYielding(messages, async (message) => {
        const { _id } = message
        if (!this.#finished.has(_id) && !(await deliveries.get({ _id }))) await deliveries.insert(toDelivery(message))
      })
    })
    await this.#store.transaction(async (transaction) => {
      await forEachYielding(messages, ({ _id }) => transaction.collection('outbox').remove(_id))
    })
  }

  /** Stops following the store. */
  close(): void {
    this.#unsubscribe()
  }

  #follow({ writes }: Change, onMessage: (pending: PendingDelivery) => void): void {
    const positions = new Map<string, number | undefined>()
    for (const { collection, after } of writes) {
      if (collection === 'auditEntries' && after) positions.set(after._id, after.position)
    }
    for (const { collection, before, after } of writes) {
      if (collection !== 'outbox') continue
      if (before) this.#messages.delete(before._id)
      if (before) this.#finished.delete(before._id)
      // A change of another server can be older than what `open` has read.
      if (!after || this.#messages.has(after._id)) continue
      this.#messages.set(after._id, after)
      onMessage(toPendingDelivery(toDelivery(after), positions.get(after._entry)))
    }
  }

  #finish({ _id }: StoredDelivery): void {
    if (this.#messages.has(_id)) this.#finished.add(_id)
  }
}

/**
 * Writes the messages about each change into the outbox, in the change's own transaction. Returns a function that stops
 * it.
 */
export function writeOutboxMessages(store: Store, channels: DeliveryChannels): () => void {
  return store.beforeCommit(async (change, transaction) => {
    if (!change.writes.some(({ collection }) => collection === 'auditEntries')) return
    const outbox = transaction.collection('outbox')
    for (const { buildMessages } of Object.values(channels)) {
      await forEachYielding(await buildMessages(change, transaction), (message) => outbox.insert(message))
    }
  })
}

/** Selects deliveries; all if empty. */
type DeliveryFilter = ItemMatch<Pick<StoredDelivery, 'receiver' | '_id'>>

/** Returns deliveries, including those of messages that are still in the outbox. */
export async function listDeliveries(store: Store, where: DeliveryFilter = {}): Promise<readonly StoredDelivery[]> {
  // The outbox is read first: a message that is moved meanwhile is found among the deliveries.
  const { items: messages } = await store.collection('outbox').list({ where })
  const { items: deliveries } = await store.collection('deliveries').list({ where })
  const moved = new Set(deliveries.map(({ _id }) => _id))
  return [...deliveries, ...messages.filter(({ _id }) => !moved.has(_id)).map(toDelivery)]
}

/** Returns the delivery of a message that was not attempted yet. */
function toDelivery(message: StoredOutboxMessage): StoredDelivery {
  const { events } = message.telling
  return { ...message, events, status: 'pending', attempts: [], nextAttemptAt: toIsoString(message.createdAt) }
}

function withoutWebhook({ telling: { webhook: _, ...telling }, ...delivery }: StoredDelivery): StoredDelivery {
  return { ...delivery, telling }
}

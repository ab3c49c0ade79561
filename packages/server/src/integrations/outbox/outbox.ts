import { forEachYielding, toIsoString } from '../../lib/time.ts'
import type { StoredDelivery, StoredOutboxMessage } from '../../storage/resources.ts'
import type { Change, ItemMatch, Store } from '../../storage/store.ts'
import { type PendingDelivery, toPendingDelivery } from './queue/partition.ts'

/**
 * What receivers are to be told, and what became of it. `writeMessages` puts it into `outbox`; nothing else here knows that collection, or
 * `deliveries`. It takes this server for the only one that delivers: several of them on one store need another backlog, and only that (ADR 29).
 */
export class Outbox {
  readonly #store: Store
  /** What is in the outbox, by id. */
  readonly #outbox = new Map<string, StoredOutboxMessage>()
  /** The ids of those in it that nothing is to become of any more. */
  readonly #over = new Set<string>()
  #unsubscribe = (): void => {}

  constructor(store: Store) {
    this.#store = store
  }

  /** Answers every message so far, also what is settled; from then on it tells of each that comes, once its change is durable. */
  async open(onMessage: (toPending: PendingDelivery) => void): Promise<readonly StoredDelivery[]> {
    const deliveries = await listDeliveries(this.#store)
    const { items } = await this.#store.collection('outbox').list()
    for (const message of items) this.#outbox.set(message._id, message)
    this.#unsubscribe = this.#store.subscribe((change) => this.#follow(change, onMessage))
    return deliveries
  }

  /** Every message of this kind, also what is settled. */
  list(where: DeliveryFilter): Promise<readonly StoredDelivery[]> {
    return listDeliveries(this.#store, where)
  }

  /** A delivery with its place. */
  async waiting(delivery: StoredDelivery): Promise<PendingDelivery> {
    const entry = await this.#store.collection('auditEntries').get({ _id: delivery._entry })
    return toPendingDelivery(delivery, entry?.position)
  }

  /** Keeps a delivery as it is now. What is settled needs no secrets any more. @throws {StoreUnavailableError} */
  async save(delivery: StoredDelivery): Promise<void> {
    const kept = delivery.status === 'pending' ? delivery : withoutWebhook(delivery)
    await this.#store.transaction(async (transaction) => {
      const deliveries = transaction.collection('deliveries')
      // What it does not have any more is taken away.
      const isKnown = await deliveries.update(kept._id, { nextAttemptAt: undefined, reason: undefined, ...kept })
      if (!isKnown) await deliveries.insert(kept)
    })
    if (kept.status !== 'pending') this.#finish(kept)
  }

  /** Forgets a delivery that nothing is to become of. @throws {StoreUnavailableError} */
  async discard(delivery: StoredDelivery): Promise<void> {
    // Before it is gone, or the emptying of the outbox could bring it back.
    this.#finish(delivery)
    await this.#store.collection('deliveries').remove(delivery._id)
  }

  /** Forgets those of these deliveries that are settled: somebody may have asked for one again by now. @throws {StoreUnavailableError} */
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
   * Takes messages out of the outbox, for which there are deliveries then: those that were never tried get one here, unless nothing is to
   * become of them. The outbox lives in the document that each change writes anew, so it must stay small, however long receivers fail.
   * The two homes are written one after the other; if the server stops between them, the delivery counts.
   * @throws {StoreUnavailableError}
   */
  async flush(): Promise<void> {
    const messages = [...this.#outbox.values()]
    if (messages.length === 0) return
    await this.#store.transaction(async (transaction) => {
      const deliveries = transaction.collection('deliveries')
      await forEachYielding(messages, async (message) => {
        const { _id } = message
        if (!this.#over.has(_id) && !(await deliveries.get({ _id }))) await deliveries.insert(toDelivery(message))
      })
    })
    await this.#store.transaction(async (transaction) => {
      await forEachYielding(messages, ({ _id }) => transaction.collection('outbox').remove(_id))
    })
  }

  /** Hears of nothing more. */
  close(): void {
    this.#unsubscribe()
  }

  #follow({ writes }: Change, onMessage: (waiting: PendingDelivery) => void): void {
    const positions = new Map<string, number | undefined>()
    for (const { collection, after } of writes) {
      if (collection === 'auditEntries' && after) positions.set(after._id, after.position)
    }
    for (const { collection, before, after } of writes) {
      if (collection !== 'outbox') continue
      if (before) this.#outbox.delete(before._id)
      if (before) this.#over.delete(before._id)
      if (!after) continue
      this.#outbox.set(after._id, after)
      onMessage(toPendingDelivery(toDelivery(after), positions.get(after._entry)))
    }
  }

  #finish({ _id }: StoredDelivery): void {
    if (this.#outbox.has(_id)) this.#over.add(_id)
  }
}

/** Which deliveries are meant; all by default. */
type DeliveryFilter = ItemMatch<Pick<StoredDelivery, 'receiver' | '_id'>>

/** Every message to receivers with what became of it: a message is its delivery and, until there is one, its row in the outbox. */
export async function listDeliveries(store: Store, where: DeliveryFilter = {}): Promise<readonly StoredDelivery[]> {
  // The rows first: one that leaves meanwhile has a delivery by then.
  const { items: messages } = await store.collection('outbox').list({ where })
  const { items: deliveries } = await store.collection('deliveries').list({ where })
  const known = new Set(deliveries.map(({ _id }) => _id))
  return [...deliveries, ...messages.filter(({ _id }) => !known.has(_id)).map(toDelivery)]
}

/** The delivery of a message that was never tried. */
function toDelivery(message: StoredOutboxMessage): StoredDelivery {
  const { events } = message.telling
  return { ...message, events, status: 'pending', attempts: [], nextAttemptAt: toIsoString(message.createdAt) }
}

function withoutWebhook({ telling: { webhook: _, ...telling }, ...delivery }: StoredDelivery): StoredDelivery {
  return { ...delivery, telling }
}

import { receiverOf } from '../deliveries/receivers.ts'
import { featureOf, messageOf } from '../deliveries/telling.ts'
import type { Ids } from '../id.ts'
import type { StoredAuditEntry, StoredOutboxMessage } from '../store/resources.ts'
import type { Change, Store } from '../store/store.ts'
import { concerned } from './concerned.ts'

/** The messages to observability systems that a transaction calls for, by the audit entries among its writes. */
export async function observabilityMessages(
  { writes }: Change,
  transaction: Store,
  ids: Pick<Ids, 'id'>
): Promise<StoredOutboxMessage[]> {
  const messages: StoredOutboxMessage[] = []
  for (const { collection, after } of writes) {
    if (collection === 'auditEntries' && after) messages.push(...(await messagesAbout(after, transaction, ids)))
  }
  return messages
}

async function messagesAbout(
  entry: StoredAuditEntry,
  store: Store,
  ids: Pick<Ids, 'id'>
): Promise<StoredOutboxMessage[]> {
  const { _organization, _project } = entry
  if (_project === undefined || featureOf(entry) === undefined) return []
  const project = await store.collection('projects').get({ _id: _project })
  if (!project?.settings.observability.enabled) return []
  const { items } = await store.collection('observabilityEnvironments').list({ where: { _organization } })
  const messages: StoredOutboxMessage[] = []
  for (const observed of items) {
    const { changes } = await concerned(store, project, observed, entry)
    if (changes.length === 0) continue
    const to = { receiver: receiverOf('observability', observed._id), project, store, ids }
    messages.push(await messageOf(entry, changes, to))
  }
  return messages
}

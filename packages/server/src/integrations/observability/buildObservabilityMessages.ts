import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { StoredAuditEntry, StoredOutboxMessage } from '../../storage/resources.ts'
import type { Change, Store } from '../../storage/store.ts'
import { buildMessage, featureIdOf } from '../outbox/buildMessage.ts'
import { toReceiver } from '../outbox/deliveryChannel.ts'
import { findReportedChanges } from './findReportedChanges.ts'

/** The messages to observability systems that a transaction calls for, by the audit entries among its writes. */
export async function buildObservabilityMessages(
  { writes }: Change,
  transaction: Store,
  ids: Pick<IdGenerator, 'id'>
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
  ids: Pick<IdGenerator, 'id'>
): Promise<StoredOutboxMessage[]> {
  const { _organization, _project } = entry
  if (_project === undefined || featureIdOf(entry) === undefined) return []
  const project = await store.collection('projects').get({ _id: _project })
  if (!project?.settings.observability.enabled) return []
  const { items } = await store.collection('observabilityEnvironments').list({ where: { _organization } })
  const messages: StoredOutboxMessage[] = []
  for (const observed of items) {
    const { changes } = await findReportedChanges(store, project, observed, entry)
    if (changes.length === 0) continue
    const to = { receiver: toReceiver('observability', observed._id), project, store, ids }
    messages.push(await buildMessage(entry, changes, to))
  }
  return messages
}

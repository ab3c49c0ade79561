import { receiverOf } from '../deliveries/receivers.ts'
import { isEvent, messageOf } from '../deliveries/telling.ts'
import type { Ids } from '../id.ts'
import type { StoredAuditEntry, StoredOutboxMessage, StoredProject, StoredWebhook } from '../store/resources.ts'
import type { Change, Store } from '../store/store.ts'
import { matchingChanges } from './matchingChanges.ts'

/** The messages to webhooks that a transaction calls for, by the audit entries among its writes. */
export async function webhookMessages(
  change: Change,
  transaction: Store,
  ids: Pick<Ids, 'id'>
): Promise<StoredOutboxMessage[]> {
  const messages: StoredOutboxMessage[] = []
  for (const write of change.writes) {
    const entry = write.collection === 'auditEntries' ? write.after : undefined
    if (!entry?.changes.some(({ type }) => isEvent(type))) continue
    for (const { project, webhook, isGone } of await candidatesFor(entry, transaction, change)) {
      const changes = webhook.enabled ? matchingChanges(webhook, entry) : []
      if (changes.length === 0) continue
      const to = { receiver: receiverOf('webhook', webhook._id), project, store: transaction, ids }
      const message = await messageOf(entry, changes, to)
      messages.push(isGone ? { ...message, telling: { ...message.telling, webhook } } : message)
    }
  }
  return messages
}

/** A webhook that an entry can concern. */
interface Candidate {
  readonly project: StoredProject
  readonly webhook: StoredWebhook
  /** Whether it went in this same transaction, as one does with its feature. */
  readonly isGone: boolean
}

async function candidatesFor(
  { _project }: StoredAuditEntry,
  transaction: Store,
  { writes }: Change
): Promise<Candidate[]> {
  const project = _project && (await transaction.collection('projects').get({ _id: _project }))
  if (!project) return []
  const { items } = await transaction.collection('webhooks').list({ where: { _project: project._id } })
  const gone = writes.flatMap((write) => {
    if (write.collection !== 'webhooks' || write.after || write.before?._project !== project._id) return []
    return [write.before]
  })
  return [
    ...items.map((webhook) => ({ project, webhook, isGone: false })),
    ...gone.map((webhook) => ({ project, webhook, isGone: true }))
  ]
}

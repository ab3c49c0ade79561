import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { StoredAuditEntry, StoredOutboxMessage, StoredProject, StoredWebhook } from '../../storage/resources.ts'
import type { Change, Store } from '../../storage/store.ts'
import { buildMessage, isChangeEvent } from '../outbox/buildMessage.ts'
import { toReceiver } from '../outbox/deliveryChannel.ts'
import { findMatchingChanges } from './findMatchingChanges.ts'

/** The messages to webhooks that a transaction calls for, by the audit entries among its writes. */
export async function buildWebhookMessages(
  change: Change,
  transaction: Store,
  ids: Pick<IdGenerator, 'id'>
): Promise<StoredOutboxMessage[]> {
  const messages: StoredOutboxMessage[] = []
  for (const write of change.writes) {
    const entry = write.collection === 'auditEntries' ? write.after : undefined
    if (!entry?.changes.some(({ type }) => isChangeEvent(type))) continue
    for (const { project, webhook, isGone } of await candidatesFor(entry, transaction, change)) {
      const changes = webhook.enabled ? findMatchingChanges(webhook, entry) : []
      if (changes.length === 0) continue
      const to = { receiver: toReceiver('webhook', webhook._id), project, store: transaction, ids }
      const message = await buildMessage(entry, changes, to)
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

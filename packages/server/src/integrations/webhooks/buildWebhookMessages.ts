import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import type { StoredOutboxMessage, StoredWebhook } from '../../storage/resources/notification.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Change, Store } from '../../storage/store.ts'
import { buildMessage, featureIdOf, isExpiryWarning, isWebhookEvent } from '../outbox/buildMessage.ts'
import { toReceiver } from '../outbox/deliveryChannel.ts'

/** Returns the messages to webhooks about the audit entries of a transaction. */
export async function buildWebhookMessages(
  change: Change,
  transaction: Store,
  ids: Pick<IdGenerator, 'id'>
): Promise<StoredOutboxMessage[]> {
  const messages: StoredOutboxMessage[] = []
  for (const write of change.writes) {
    const entry = write.collection === 'auditEntries' ? write.after : undefined
    if (!entry?.changes.some(({ type }) => isWebhookEvent(type))) continue
    for (const { project, webhook, isRemoved } of await listCandidates(entry, transaction, change)) {
      const changes = webhook.enabled ? findMatchingChanges(webhook, entry) : []
      if (changes.length === 0) continue
      const context = { receiver: toReceiver('webhook', webhook._id), project, store: transaction, ids }
      const message = await buildMessage(entry, changes, context)
      // A removed webhook cannot be read at delivery, so the message carries it.
      messages.push(isRemoved ? { ...message, telling: { ...message.telling, webhook } } : message)
    }
  }
  return messages
}

/** A webhook of the project that an entry is about. */
interface Candidate {
  readonly project: StoredProject
  readonly webhook: StoredWebhook
  /** Whether the same transaction removes the webhook, for example with its feature. */
  readonly isRemoved: boolean
}

async function listCandidates(
  { _project, _organization }: StoredAuditEntry,
  transaction: Store,
  { writes }: Change
): Promise<Candidate[]> {
  if (_project === undefined) return listAllWebhooks(_organization, transaction)
  const project = await transaction.collection('projects').get({ _id: _project })
  if (!project) return []
  const { items } = await transaction.collection('webhooks').list({ where: { _project: project._id } })
  const removed = writes.flatMap((write) => {
    if (write.collection !== 'webhooks' || write.after || write.before?._project !== project._id) return []
    return [write.before]
  })
  return [
    ...items.map((webhook) => ({ project, webhook, isRemoved: false })),
    ...removed.map((webhook) => ({ project, webhook, isRemoved: true }))
  ]
}

/** Returns the webhooks of all projects: warnings about clients belong to none. */
async function listAllWebhooks(_organization: string, transaction: Store): Promise<Candidate[]> {
  const { items: projects } = await transaction.collection('projects').list({ where: { _organization } })
  const byId = new Map(projects.map((project) => [project._id, project]))
  const { items: webhooks } = await transaction.collection('webhooks').list()
  return webhooks.flatMap((webhook) => {
    const project = byId.get(webhook._project)
    return project ? [{ project, webhook, isRemoved: false }] : []
  })
}

/** Returns the indexes of an entry's changes that match the webhook's events, feature and environments. */
function findMatchingChanges(
  { _feature, _environments, events }: Pick<StoredWebhook, '_feature' | '_environments' | 'events'>,
  entry: Pick<StoredAuditEntry, '_feature' | 'changes'>
): number[] {
  const feature = featureIdOf(entry)
  if (_feature !== undefined && feature !== _feature) return []
  return entry.changes.flatMap(({ type, _environments: affected }, index) => {
    if (!isWebhookEvent(type) || !events.includes(type)) return []
    // Changes of variables without a feature have the same types.
    if (feature === undefined && type !== 'appliedInEmergency' && !isExpiryWarning(type)) return []
    // A change without environments affects all of them.
    const isElsewhere = _environments.length > 0 && affected?.some((id) => _environments.includes(id)) === false
    return isElsewhere ? [] : [index]
  })
}

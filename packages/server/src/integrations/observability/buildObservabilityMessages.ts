import { listEnvironments } from '../../flags/features/readFeatureContext.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import type { StoredObservabilityEnvironment } from '../../storage/resources/integration.ts'
import type { StoredOutboxMessage } from '../../storage/resources/notification.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'
import type { Change, Store } from '../../storage/store.ts'
import { buildMessage, featureIdOf, isChangeEvent } from '../outbox/buildMessage.ts'
import { toReceiver } from '../outbox/deliveryChannel.ts'

/** Returns the messages to observability systems about the audit entries of a transaction. */
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
  for (const connection of items) {
    const { changes } = await findReportedChanges(store, project, connection, entry)
    if (changes.length === 0) continue
    const context = { receiver: toReceiver('observability', connection._id), project, store, ids }
    messages.push(await buildMessage(entry, changes, context))
  }
  return messages
}

/** The part of an audit entry that is reported to an observability system. */
export interface ReportedChanges {
  /** The indexes of the changes in the entry. */
  readonly changes: readonly number[]
  /** The environments that these changes affect and that the project maps to the system. */
  readonly environments: readonly StoredEnvironment[]
}

/** Finds the changes of an entry that affect environments which the project maps to an observability system. */
export async function findReportedChanges(
  store: Store,
  project: StoredProject,
  { observabilityEnvironmentId }: Pick<StoredObservabilityEnvironment, 'observabilityEnvironmentId'>,
  entry: Pick<StoredAuditEntry, 'changes'>
): Promise<ReportedChanges> {
  const { enabled, environmentMap } = project.settings.observability
  if (!enabled || !Object.values(environmentMap).includes(observabilityEnvironmentId)) return NO_CHANGES
  const all = await listEnvironments(store, project)
  const mapped = all.filter(({ _id, key }) => {
    return [_id, key].some((name) => getOwn(environmentMap, name) === observabilityEnvironmentId)
  })
  const affected = entry.changes.map(({ type, _environments }) => {
    // A change without environments affects all of them.
    return isChangeEvent(type) ? mapped.filter(({ _id }) => _environments?.includes(_id) ?? true) : []
  })
  const changes = affected.flatMap((environments, index) => (environments.length > 0 ? [index] : []))
  return { changes, environments: mapped.filter((one) => affected.some((environments) => environments.includes(one))) }
}

const NO_CHANGES: ReportedChanges = { changes: [], environments: [] }

function getOwn(map: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}

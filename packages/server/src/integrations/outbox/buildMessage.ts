import { ChangeType, ExpiryWarning, type WebhookEvent } from '@burgee/contract/schemas'
import { parseClientSubject } from '../../access/permissions/findIdentity.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import type { ChangeNotification, ReceiverId, StoredOutboxMessage } from '../../storage/resources/notification.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'

/** Builds the message to a receiver about changes of an audit entry, given by their indexes. */
export async function buildMessage(
  entry: StoredAuditEntry,
  changes: readonly number[],
  { receiver, project, store, ids }: MessageContext
): Promise<StoredOutboxMessage> {
  const { _id: _entry, createdAt, updatedAt } = entry
  const _feature = featureIdOf(entry)
  const types = changes.flatMap((index) => entry.changes[index]?.type ?? [])
  const notification: ChangeNotification = {
    changes,
    events: [...new Set(types.filter(isWebhookEvent))],
    project: project.key,
    key: findWarnedKey(entry) ?? (_feature === undefined ? project.key : keyBefore(entry)),
    user: await findAuthor(entry, store)
  }
  const feature = _feature === undefined ? {} : { _feature }
  return {
    _id: ids.id(),
    createdAt,
    updatedAt,
    _project: project._id,
    receiver,
    ...feature,
    _entry,
    telling: notification
  }
}

interface MessageContext {
  readonly receiver: ReceiverId
  readonly project: StoredProject
  readonly store: Store
  readonly ids: Pick<IdGenerator, 'id'>
}

/** Whether webhooks can subscribe to this type. */
export function isWebhookEvent(type: string): type is WebhookEvent {
  return isChangeEvent(type) || isExpiryWarning(type)
}

/** Whether the type is a warning that a key or client expires soon, which does not concern a feature. */
export function isExpiryWarning(type: string): type is ExpiryWarning {
  return warningTypes.has(type)
}

const warningTypes: ReadonlySet<string> = new Set(ExpiryWarning.options)

/** Whether the type is a change of a feature. */
export function isChangeEvent(type: string): type is ChangeType {
  return eventTypes.has(type)
}

const eventTypes: ReadonlySet<string> = new Set(ChangeType.options)

/**
 * Returns the id of the feature that an entry is about. The deletion of a feature is among the changes of its project.
 * Changes of variables without a feature have the same types as those of a feature's variables, but belong to no
 * feature.
 */
export function featureIdOf({ _feature, changes }: Pick<StoredAuditEntry, '_feature' | 'changes'>): string | undefined {
  const id = findDeletion(changes)?.previousContents?._id
  return _feature ?? (typeof id === 'string' ? id : undefined)
}

function findDeletion(changes: StoredAuditEntry['changes']): StoredAuditEntry['changes'][number] | undefined {
  return changes.find(({ type }) => type === 'deletedFeature')
}

/** Returns the key or name of the environment, client, trust or SCIM token that a warning is about. */
function findWarnedKey({ changes }: StoredAuditEntry): string | undefined {
  const { environment, clientId, trust, name } = changes.find(({ type }) => isExpiryWarning(type))?.metadata ?? {}
  const key = environment ?? clientId ?? trust ?? name
  return typeof key === 'string' ? key : undefined
}

/** Returns the key of the feature before the change; for a new feature, its first key. */
function keyBefore(entry: StoredAuditEntry): string {
  const _feature = featureIdOf(entry)
  const previous = entry.undo?.features.find(({ _id }) => _id === _feature)
  const created = entry.changes.find(({ type }) => type === 'createdFeature')
  const key = previous?.key ?? created?.newContents?.key ?? findDeletion(entry.changes)?.previousContents?.key
  // One of the three exists: an entry has undo data for modified features, and contents for created and deleted ones.
  return String(key)
}

/** Returns the author of a change: the name, and for a user the e-mail address. */
async function findAuthor({ idp_user }: StoredAuditEntry, store: Store): Promise<ChangeNotification['user']> {
  const user = await store.collection('users').get({ userId: idp_user })
  if (user) return { name: user.name, email: user.email }
  const clientId = parseClientSubject(idp_user)
  const client = clientId === undefined ? undefined : await store.collection('clients').get({ clientId })
  return { name: client?.name ?? idp_user }
}

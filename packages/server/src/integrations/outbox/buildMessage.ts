import { ChangeType } from '@burgee/contract/schemas'
import { parseClientSubject } from '../../access/permissions/findIdentity.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type {
  ChangeNotification,
  ReceiverId,
  StoredAuditEntry,
  StoredOutboxMessage,
  StoredProject
} from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'

/** The message to a receiver about these changes of an entry, by their places in it. */
export async function buildMessage(
  entry: StoredAuditEntry,
  changes: readonly number[],
  to: MessageContext
): Promise<StoredOutboxMessage> {
  const { _id: _entry, createdAt, updatedAt } = entry
  const { receiver, project, store, ids } = to
  const _feature = featureIdOf(entry)
  const types = changes.flatMap((place) => entry.changes[place]?.type ?? [])
  const telling: ChangeNotification = {
    changes,
    events: [...new Set(types.filter(isChangeEvent))],
    project: project.key,
    key: keyBefore(entry),
    user: await userOf(entry, store)
  }
  const feature = _feature === undefined ? {} : { _feature }
  return { _id: ids.id(), createdAt, updatedAt, _project: project._id, receiver, ...feature, _entry, telling }
}

interface MessageContext {
  readonly receiver: ReceiverId
  readonly project: StoredProject
  readonly store: Store
  readonly ids: Pick<IdGenerator, 'id'>
}

/** Whether receivers are told of changes of this type. */
export function isChangeEvent(type: string): type is ChangeType {
  return events.has(type)
}

const events: ReadonlySet<string> = new Set(ChangeType.options)

/**
 * The id of the feature that an entry is about. That one was deleted is told among the changes of its project. A variable that no feature
 * carries is of none, although its changes go by names that those of features' variables do too.
 */
export function featureIdOf({ _feature, changes }: Pick<StoredAuditEntry, '_feature' | 'changes'>): string | undefined {
  const id = deletionIn(changes)?.previousContents?._id
  return _feature ?? (typeof id === 'string' ? id : undefined)
}

/** The change that tells of the end of a feature. */
function deletionIn(changes: StoredAuditEntry['changes']): StoredAuditEntry['changes'][number] | undefined {
  return changes.find(({ type }) => type === 'deletedFeature')
}

/** The key of the feature before the change that an entry tells; of a new one, its first. */
function keyBefore(entry: StoredAuditEntry): string {
  const _feature = featureIdOf(entry)
  const former = entry.undo?.features.find(({ _id }) => _id === _feature)
  const made = entry.changes.find(({ type }) => type === 'createdFeature')
  const key = former?.key ?? made?.newContents?.key ?? deletionIn(entry.changes)?.previousContents?.key
  // An entry keeps what takes its change back, and tells all of what came or went: one of the three is there.
  return String(key)
}

/** Who made a change, as a person reads it. */
async function userOf({ idp_user }: StoredAuditEntry, store: Store): Promise<ChangeNotification['user']> {
  const person = await store.collection('users').get({ userId: idp_user })
  if (person) return { name: person.name, email: person.email }
  const clientId = parseClientSubject(idp_user)
  const client = clientId === undefined ? undefined : await store.collection('clients').get({ clientId })
  return { name: client?.name ?? idp_user }
}

import type { AuditLogChange } from '@burgee/contract'
import type { Resources } from '../store/resources.ts'
import type { Members } from '../store/store.ts'
import { modified, type Resource } from './changes.ts'
import type { Edit, EditSubject } from './edit.ts'

/** Which collection an item is of, and how its change is told. */
interface Replacing<K extends keyof Resources> {
  readonly collection: K
  readonly resource: Resource
  readonly subject: EditSubject
  /** What an entry tells of the changes; all of them, if it says nothing. */
  readonly tell?: (changes: readonly AuditLogChange[]) => AuditLogChange[]
}

/** Keeps what became of an item, and notes how it differs. Where it does not, nothing is written and the item stays as it was. */
export async function replaceItem<K extends keyof Resources>(
  { store, at, note }: Edit,
  { collection, resource, subject, tell = (changes) => [...changes] }: Replacing<K>,
  before: Resources[K],
  after: Resources[K]
): Promise<Resources[K]> {
  const changes = modified(resource, before, after)
  if (changes.length === 0) return before
  const item = { ...after, updatedAt: at }
  // All members of an item of the collection.
  await store.collection(collection).update(before._id, item as unknown as Members<Resources[K]>)
  note(subject, tell(changes))
  return item
}

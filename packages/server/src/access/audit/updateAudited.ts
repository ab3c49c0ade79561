import type { AuditLogChange } from '@burgee/contract/schemas'
import type { Resources } from '../../storage/resources.ts'
import type { ItemPatch } from '../../storage/store.ts'
import { type AuditedResource, modifiedChanges } from './changes.ts'
import type { Edit, EditScope } from './edit.ts'

/** Which collection an item is of, and how its change is told. */
interface AuditedUpdate<K extends keyof Resources> {
  readonly collection: K
  readonly resource: AuditedResource
  readonly subject: EditScope
  /** What an entry tells of the changes; all of them, if it says nothing. */
  readonly mapChanges?: (changes: readonly AuditLogChange[]) => AuditLogChange[]
}

/** Keeps what became of an item, and notes how it differs. Where it does not, nothing is written and the item stays as it was. */
export async function updateAudited<K extends keyof Resources>(
  { store, at, recordChanges }: Edit,
  { collection, resource, subject, mapChanges = (changes) => [...changes] }: AuditedUpdate<K>,
  before: Resources[K],
  after: Resources[K]
): Promise<Resources[K]> {
  const changes = modifiedChanges(resource, before, after)
  if (changes.length === 0) return before
  const item = { ...after, updatedAt: at }
  // All members of an item of the collection.
  await store.collection(collection).update(before._id, item as unknown as ItemPatch<Resources[K]>)
  recordChanges(subject, mapChanges(changes))
  return item
}

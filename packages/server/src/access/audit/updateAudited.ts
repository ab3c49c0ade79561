import type { AuditLogChange } from '@burgee/contract/schemas'
import type { Resources } from '../../storage/resources/collections.ts'
import type { ItemPatch } from '../../storage/store.ts'
import { type AuditedResource, modifiedChanges } from './changes.ts'
import type { Edit, EditScope } from './edit.ts'

/** The collection of an item, and how its change is recorded. */
interface AuditedUpdate<K extends keyof Resources> {
  readonly collection: K
  readonly resource: AuditedResource
  readonly subject: EditScope
  /** Transforms the recorded changes, for example to mask secrets. Identity if omitted. */
  readonly mapChanges?: (changes: readonly AuditLogChange[]) => AuditLogChange[]
}

/** Writes the new state of an item and records the differences. Writes nothing if there are none. */
export async function updateAudited<K extends keyof Resources>(
  { store, at, recordChanges }: Edit,
  { collection, resource, subject, mapChanges = (changes) => [...changes] }: AuditedUpdate<K>,
  before: Resources[K],
  after: Resources[K]
): Promise<Resources[K]> {
  const changes = modifiedChanges(resource, before, after)
  if (changes.length === 0) return before
  const item = { ...after, updatedAt: at }
  // The item has every member of the collection.
  await store.collection(collection).update(before._id, item as unknown as ItemPatch<Resources[K]>)
  recordChanges(subject, mapChanges(changes))
  return item
}

import type { Resources } from '../resources/collections.ts'
import type { ItemPatch } from '../store.ts'
import { frozenJsonCopy } from '../tables/deepFreeze.ts'

/** Returns an item with replaced members, frozen; members that are `undefined` are removed. */
export function replaceMembers<K extends keyof Resources>(
  name: K,
  item: Resources[K],
  members: ItemPatch<Resources[K]>
): Resources[K] {
  const after = frozenJsonCopy({ ...item, ...members })
  if (after._id !== item._id) throw new Error(`${name} ${item._id} cannot become ${after._id}: an item keeps its _id`)
  return after
}

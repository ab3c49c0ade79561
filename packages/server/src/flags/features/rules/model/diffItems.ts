import { isDeepStrictEqual } from 'node:util'

/** The difference between two lists of items. */
export interface ItemDiff<T> {
  readonly added: readonly T[]
  readonly replaced: readonly { readonly before: T; readonly after: T }[]
  readonly removed: readonly T[]
}

/** Compares two lists by the ids of their items, ignoring `updatedAt`. */
export function diffItems<T extends { readonly _id: string }>(before: readonly T[], after: readonly T[]): ItemDiff<T> {
  const earlier = new Map(before.map((item) => [item._id, item]))
  const later = new Set(after.map(({ _id }) => _id))
  return {
    added: after.filter(({ _id }) => !earlier.has(_id)),
    replaced: after.flatMap((item) => {
      const known = earlier.get(item._id)
      return known && !isSameItem(known, item) ? [{ before: known, after: item }] : []
    }),
    removed: before.filter(({ _id }) => !later.has(_id))
  }
}

/** Whether there is no difference. */
export function isEmptyDiff({ added, replaced, removed }: ItemDiff<unknown>): boolean {
  return added.length === 0 && replaced.length === 0 && removed.length === 0
}

function isSameItem(one: object, other: object): boolean {
  return isDeepStrictEqual({ ...one, updatedAt: '' }, { ...other, updatedAt: '' })
}

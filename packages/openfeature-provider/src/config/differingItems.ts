import { changedPart } from '@burgee/core'

/** The items of two lists that are not in the other one. Items are compared by identity. */
export interface DifferingItems<T> {
  readonly removed: readonly T[]
  readonly added: readonly T[]
  /** Whether items with the same id are in another order. */
  readonly isReordered: boolean
}

/** Compares the successive states of a list with unique ids. */
export function differingItems<T extends { readonly _id: string }>(
  before: readonly T[],
  after: readonly T[]
): DifferingItems<T> {
  const { start, beforeEnd, afterEnd } = changedPart(before, after)
  const [old, now] = [before.slice(start, beforeEnd), after.slice(start, afterEnd)]
  const [oldItems, items] = [new Set(old), new Set(now)]
  const [oldIds, ids] = [new Set(old.map(({ _id }) => _id)), new Set(now.map(({ _id }) => _id))]
  const kept = now.filter(({ _id }) => oldIds.has(_id))
  const isReordered = old.filter(({ _id }) => ids.has(_id)).some(({ _id }, index) => _id !== kept[index]?._id)
  return {
    removed: old.filter((item) => !items.has(item)),
    added: now.filter((item) => !oldItems.has(item)),
    isReordered
  }
}

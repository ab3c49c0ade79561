import type { ChangedPart } from './changedPart.ts'

/** Returns a copy of a list in which `added` replaces the changed part. */
export function replacePart<T>(
  list: readonly T[],
  { start, beforeEnd }: Omit<ChangedPart, 'afterEnd'>,
  added: readonly T[]
): T[] {
  // Makes one copy instead of three. The number of arguments of a call is limited.
  if (added.length < 1_000) return list.toSpliced(start, beforeEnd - start, ...added)
  return list.slice(0, start).concat(added, list.slice(beforeEnd))
}

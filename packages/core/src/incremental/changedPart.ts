/** The positions between which two lists differ: the items before and after them are identical. */
export interface ChangedPart {
  readonly start: number
  /** The end in the former list. */
  readonly beforeEnd: number
  /** The end in the new list. */
  readonly afterEnd: number
}

/** Returns where a list differs from its former state. Compares items by identity. */
export function changedPart(before: readonly unknown[], after: readonly unknown[]): ChangedPart {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start] === after[start]) start++
  let kept = 0
  while (kept < shortest - start && before[before.length - kept - 1] === after[after.length - kept - 1]) kept++
  return { start, beforeEnd: before.length - kept, afterEnd: after.length - kept }
}

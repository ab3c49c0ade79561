/** The positions between which two lists differ: the items before and after them are identical. */
export interface ChangedPart {
  readonly start: number
  /** The end in the former list. */
  readonly beforeEnd: number
  /** The end in the new list. */
  readonly afterEnd: number
}

/**
 * Returns where a list differs from its former state. Compares items by identity. Remembers the last comparison with
 * each list, because the environments of a project have lists in common.
 */
export function changedPart(before: readonly unknown[], after: readonly unknown[]): ChangedPart {
  const known = comparisons.get(after)
  if (known?.before.deref() === before) return known.part
  const part = compare(before, after)
  comparisons.set(after, { before: new WeakRef(before), part })
  return part
}

/** The last comparison with each list. Does not keep the former state in memory. */
const comparisons = new WeakMap<
  readonly unknown[],
  { readonly before: WeakRef<readonly unknown[]>; readonly part: ChangedPart }
>()

function compare(before: readonly unknown[], after: readonly unknown[]): ChangedPart {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start] === after[start]) start++
  let kept = 0
  while (kept < shortest - start && before[before.length - kept - 1] === after[after.length - kept - 1]) kept++
  return { start, beforeEnd: before.length - kept, afterEnd: after.length - kept }
}

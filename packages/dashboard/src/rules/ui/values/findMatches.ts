/** Where a text contains another, in any case: the index of each match. */
export function findMatches(text: string, wanted: string): readonly number[] {
  if (wanted === '') return []
  const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi')
  return [...text.matchAll(pattern)].map(({ index }) => index)
}

/**
 * Returns the candidate that is most similar to a misspelled word, or `undefined` if none is close.
 * @param maxShare The share of the characters of a candidate that may differ. Default: two in five; more make a
 *   different word.
 */
export function findNearest(word: string, candidates: Iterable<string>, maxShare = 0.4): string | undefined {
  let best: { readonly candidate: string; readonly distance: number } | undefined
  for (const candidate of candidates) {
    const limit = Math.max(1, candidate.length * maxShare)
    // Each missing or additional character is an edit. Words of callers can have a million characters.
    if (Math.abs(word.length - candidate.length) > limit) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    // Short words without a common character are not similar.
    if (distance >= Math.max(word.length, candidate.length) && distance > 0) continue
    if (distance <= limit && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { candidate, distance }
  }
  return best?.candidate
}

/** Returns `(did you mean …?)` with a leading space, or the empty string if no candidate is close. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  const match = findNearest(word, candidates)
  return match === undefined ? '' : ` (did you mean ${match}?)`
}

/** Returns the Damerau–Levenshtein distance: insertions, deletions, substitutions, and swaps of neighbors. */
function editDistance(one: string, other: string): number {
  let [beforeLast, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1
      const edits = [at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + cost]
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row.push(Math.min(...edits, isSwap ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY))
    }
    ;[beforeLast, last] = [last, row]
  }
  return at(last, other.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0
}

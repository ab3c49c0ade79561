/** Returns the difference of two texts as a unified diff with three lines of context; empty if they are equal. */
export function unifiedDiff(file: string, before: string, after: string): string {
  if (before === after) return ''
  const [left, right] = [before.split('\n'), after.split('\n')]
  const changes = diffLines(left, right)
  const hunks: string[] = []
  for (let at = 0; at < changes.length; ) {
    const first = changes.findIndex(({ sign }, index) => index >= at && sign !== ' ')
    if (first === -1) break
    let last = first
    for (let next = first; next < changes.length && next - last <= 2 * CONTEXT; next += 1)
      if (changes[next]?.sign !== ' ') last = next
    const shown = changes.slice(Math.max(at, first - CONTEXT), last + CONTEXT + 1)
    const begin = shown[0] ?? { left: 1, right: 1 }
    const count = (sign: string) => shown.filter((one) => one.sign !== sign).length
    hunks.push(
      `@@ -${begin.left},${count('+')} +${begin.right},${count('-')} @@`,
      ...shown.map(({ sign, line }) => sign + line)
    )
    at = last + CONTEXT + 1
  }
  return [`--- a/${file}`, `+++ b/${file}`, ...hunks].join('\n')
}

const CONTEXT = 3

interface LineChange {
  readonly sign: ' ' | '+' | '-'
  readonly line: string
  /** The numbers of the line on both sides, from 1. */
  readonly left: number
  readonly right: number
}

/** Aligns lines by their longest common subsequence, after the common lines at both ends. */
function diffLines(left: readonly string[], right: readonly string[]): readonly LineChange[] {
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1
  let end = 0
  while (end < left.length - start && end < right.length - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  const [a, b] = [left.slice(start, left.length - end), right.slice(start, right.length - end)]
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      (lengths[i] as Uint32Array)[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const changes: LineChange[] = []
  let [i, j] = [0, 0]
  const push = (sign: LineChange['sign'], line: string) =>
    changes.push({ sign, line, left: start + i + 1, right: start + j + 1 })
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      push(' ', a[i] ?? '')
      i += 1
      j += 1
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) {
      push('-', a[i] ?? '')
      i += 1
    } else {
      push('+', b[j] ?? '')
      j += 1
    }
  }
  const same = (lines: readonly string[], from: number, other: number) =>
    lines.map((line, index): LineChange => ({ sign: ' ', line, left: from + index + 1, right: other + index + 1 }))
  return [
    ...same(left.slice(0, start), 0, 0),
    ...changes,
    ...same(left.slice(left.length - end), left.length - end, right.length - end)
  ]

  function at(row: number, column: number): number {
    return lengths[row]?.[column] ?? 0
  }
}

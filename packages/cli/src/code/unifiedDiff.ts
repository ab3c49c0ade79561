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

interface SignedLine {
  readonly sign: ' ' | '+' | '-'
  readonly line: string
}

interface LineChange extends SignedLine {
  /** The numbers of the line on both sides, from 1. */
  readonly left: number
  readonly right: number
}

/** Aligns lines by their longest common subsequence, after the common lines at both ends. */
function diffLines(left: readonly string[], right: readonly string[]): readonly LineChange[] {
  const most = Math.min(left.length, right.length)
  let start = 0
  while (start < most && left[start] === right[start]) start += 1
  let end = 0
  while (end < most - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  return withNumbers([
    ...left.slice(0, start).map(signed(' ')),
    ...compareLines(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...left.slice(left.length - end).map(signed(' '))
  ])
}

function signed(sign: SignedLine['sign']): (line: string) => SignedLine {
  return (line) => ({ sign, line })
}

function withNumbers(lines: readonly SignedLine[]): readonly LineChange[] {
  let [left, right] = [1, 1]
  return lines.map(({ sign, line }) => {
    const change = { sign, line, left, right }
    if (sign !== '+') left += 1
    if (sign !== '-') right += 1
    return change
  })
}

/** Beyond this number of pairs, which takes 40 MB, all lines count as different. */
const MAX_PAIRS = 10_000_000

/** Keeps a longest common subsequence of the lines. */
function compareLines(left: readonly string[], right: readonly string[]): readonly SignedLine[] {
  if (left.length * right.length > MAX_PAIRS) return [...left.map(signed('-')), ...right.map(signed('+'))]
  const commonFrom = commonLengths(left, right)
  const lines: SignedLine[] = []
  let [i, j] = [0, 0]
  while (i < left.length || j < right.length) {
    const [before, after] = [left[i], right[j]]
    if (before !== undefined && before === after) {
      lines.push({ sign: ' ', line: before })
      i += 1
      j += 1
    } else if (before !== undefined && (after === undefined || commonFrom(i + 1, j) >= commonFrom(i, j + 1))) {
      lines.push({ sign: '-', line: before })
      i += 1
    } else if (after !== undefined) {
      lines.push({ sign: '+', line: after })
      j += 1
    }
  }
  return lines
}

/** Returns the length of the longest common subsequence of the lines from a pair of indexes on. */
function commonLengths(left: readonly string[], right: readonly string[]): (i: number, j: number) => number {
  const width = right.length + 1
  const lengths = new Uint32Array((left.length + 1) * width)
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const isEqual = left[i] === right[j]
      lengths[i * width + j] = isEqual ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  }
  return lengthAt
}

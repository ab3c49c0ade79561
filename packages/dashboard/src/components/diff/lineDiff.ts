/** A line of a text that is compared with another, or the number of equal lines that are left out. */
export type DiffLine =
  | { readonly kind: 'same' | 'added' | 'removed'; readonly text: string }
  | { readonly kind: 'skipped'; readonly count: number }

/** The equal lines that are shown before and after a difference. */
const CONTEXT = 3

/** Beyond this number of pairs, all lines between the equal ends count as different. */
const MAX_PAIRS = 1_000_000

/** Compares two texts line by line. Equal lines far from a difference are left out. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [old, current] = [toLines(before), toLines(after)]
  let start = 0
  while (start < Math.min(old.length, current.length) && old[start] === current[start]) start += 1
  let end = 0
  const most = Math.min(old.length, current.length) - start
  while (end < most && old.at(-1 - end) === current.at(-1 - end)) end += 1
  const same = (text: string) => ({ kind: 'same', text }) as const
  return withoutDistant([
    ...old.slice(0, start).map(same),
    ...compare(old.slice(start, old.length - end), current.slice(start, current.length - end)),
    ...old.slice(old.length - end).map(same)
  ])
}

function toLines(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n')
}

type Line = Extract<DiffLine, { readonly text: string }>

/** Keeps a longest common subsequence of the lines. */
function compare(old: readonly string[], current: readonly string[]): readonly Line[] {
  const removed = (text: string): Line => ({ kind: 'removed', text })
  const added = (text: string): Line => ({ kind: 'added', text })
  if (old.length * current.length > MAX_PAIRS) return [...old.map(removed), ...current.map(added)]
  const lengths = commonLengths(old, current)
  const length = (from: number, to: number) => lengths[from]?.[to] ?? 0
  const lines: Line[] = []
  let [from, to] = [0, 0]
  while (from < old.length || to < current.length) {
    const [was, is] = [old[from], current[to]]
    if (was !== undefined && was === is) {
      lines.push({ kind: 'same', text: was })
      from += 1
      to += 1
    } else if (was !== undefined && (is === undefined || length(from + 1, to) >= length(from, to + 1))) {
      lines.push(removed(was))
      from += 1
    } else if (is !== undefined) {
      lines.push(added(is))
      to += 1
    }
  }
  return lines
}

/** The length of the longest common subsequence of the lines from each pair of indexes on. */
function commonLengths(old: readonly string[], current: readonly string[]): readonly Uint32Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(current.length + 1))
  for (let from = old.length - 1; from >= 0; from -= 1) {
    const [row, next] = [lengths[from], lengths[from + 1]]
    if (!row || !next) continue
    for (let to = current.length - 1; to >= 0; to -= 1) {
      row[to] = old[from] === current[to] ? (next[to + 1] ?? 0) + 1 : Math.max(next[to] ?? 0, row[to + 1] ?? 0)
    }
  }
  return lengths
}

function withoutDistant(lines: readonly Line[]): readonly DiffLine[] {
  const isNear = lines.map(() => false)
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== 'same') isNear.fill(true, Math.max(0, index - CONTEXT), index + CONTEXT + 1)
  }
  return lines.flatMap((line, index): readonly DiffLine[] => {
    if (isNear[index]) return [line]
    if (index > 0 && !isNear[index - 1]) return []
    const next = isNear.indexOf(true, index)
    const count = (next === -1 ? lines.length : next) - index
    return [count === 1 ? line : { kind: 'skipped', count }]
  })
}

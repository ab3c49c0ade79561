import { escapeLine } from '@burgee/kit/text'

/** How a table fits a terminal. Columns are given by their indexes. */
export interface TableLayout {
  /** Columns that a narrow table omits, the least important first. */
  readonly optional?: readonly number[]
  /** Columns with keys, besides the first one: their texts are wrapped at spaces, and never cut. */
  readonly wrapped?: readonly number[]
  /** The rows have no header. */
  readonly isHeadless?: true
}

/**
 * Returns rows as lines with aligned columns that fit the width: optional columns are left out, texts with keys are
 * wrapped, and the longest other texts are cut with `…`. The first column and dates are never cut. If that is still too
 * wide, each row becomes a paragraph, and all texts are wrapped.
 */
export function formatColumns(
  cells: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
  { optional = [], wrapped = [], isHeadless }: TableLayout = {}
): readonly string[] {
  const rows = cells.map((row) => row.map(escapeLine))
  const table: Table = { rows, headers: isHeadless ? 0 : 1, wrapped: new Set(wrapped) }
  const omitted = omittedColumns(table, optional, width)
  const shown = withoutColumns(table, omitted)
  const widths = fit(shown, width)
  if (isHeadless || lineWidth(widths) <= width)
    return shown.rows.flatMap((row) => formatRow(row, widths, shown.wrapped))
  return formatParagraphs(withoutColumns(table, new Set()), width)
}

interface Table {
  readonly rows: readonly (readonly string[])[]
  /** The number of rows with headers. */
  readonly headers: 0 | 1
  readonly wrapped: ReadonlySet<number>
}

const GAP = '  '

/** The smallest width of a column that is cut. */
const MIN_WIDTH = 8

/** Optional columns are omitted before columns of keys become narrower than this, which would need too many lines. */
const READABLE_WIDTH = 16

/** Returns the optional columns for which there is no room beside the others. */
function omittedColumns(table: Table, optional: readonly number[], width: number): ReadonlySet<number> {
  const omitted = new Set<number>()
  const natural = widthsOf(table.rows)
  const floors = floorsOf(table)
  const wanted = natural.map((one, column) =>
    table.wrapped.has(column) ? Math.max(Math.min(one, READABLE_WIDTH), floors[column] ?? 0) : one
  )
  for (const column of optional) {
    if (lineWidth(wanted.filter((_, index) => !omitted.has(index))) <= width) break
    omitted.add(column)
  }
  return omitted
}

function withoutColumns({ rows, headers, wrapped }: Table, omitted: ReadonlySet<number>): Table {
  const kept = widthsOf(rows).flatMap((_, column) => (omitted.has(column) ? [] : [column]))
  return {
    rows: rows.map((row) => kept.map((column) => row[column] ?? '')),
    headers,
    wrapped: new Set(kept.flatMap((column, index) => (wrapped.has(column) ? [index] : [])))
  }
}

function widthsOf(rows: Table['rows']): readonly number[] {
  return rows.reduce<readonly number[]>((widest, row) => {
    const columns = Math.max(row.length, widest.length)
    return Array.from({ length: columns }, (_, column) => Math.max(row[column]?.length ?? 0, widest[column] ?? 0))
  }, [])
}

/** Returns the smallest width of each column. */
function floorsOf({ rows, headers, wrapped }: Table): readonly number[] {
  const words = rows.map((row) => row.map((text) => text.split(' ').reduce(longer, '')))
  const longest = widthsOf(words)
  return widthsOf(rows).map((natural, column) => {
    if (column === 0 || isOfDates(rows.slice(headers), column)) return natural
    if (wrapped.has(column)) return longest[column] ?? 0
    return Math.min(natural, Math.max(MIN_WIDTH, headers === 0 ? 0 : (rows[0]?.[column]?.length ?? 0)))
  })
}

function longer(one: string, other: string): string {
  return other.length > one.length ? other : one
}

/** Whether a column has only dates, which are useless if they are cut. */
function isOfDates(rows: Table['rows'], column: number): boolean {
  const texts = rows.flatMap((row) => row[column] || [])
  return texts.length > 0 && texts.every((text) => /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d\.\d{3}Z)?)?$/.test(text))
}

/** Narrows the widest columns until the line fits, or no column can be narrower. */
function fit(table: Table, width: number): readonly number[] {
  const fitted = [...widthsOf(table.rows)]
  const floors = floorsOf(table)
  for (let excess = lineWidth(fitted) - width; excess > 0; ) {
    const candidates = fitted.map((one, column) => (one <= (floors[column] ?? 0) ? 0 : one))
    const widest = candidates.indexOf(Math.max(...candidates))
    const current = candidates[widest] ?? 0
    if (current === 0) return fitted
    const next = Math.max(floors[widest] ?? 0, ...candidates.filter((_, column) => column !== widest))
    const cut = Math.min(excess, Math.max(1, current - next))
    fitted[widest] = current - cut
    excess -= cut
  }
  return fitted
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((total, one) => total + one, 0) + GAP.length * (widths.length - 1)
}

function formatRow(row: readonly string[], widths: readonly number[], wrapped: Table['wrapped']): readonly string[] {
  const columns = row.map((text, column) => {
    const width = widths[column] ?? 0
    return wrapped.has(column) ? wrap(text, width) : [shorten(text, width)]
  })
  const height = Math.max(1, ...columns.map(({ length }) => length))
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((lines, column) => (lines[line] ?? '').padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd()
  )
}

/** Returns the first column of each row, with one line below it for each other column. */
function formatParagraphs({ rows: [header = [], ...rows] }: Table, width: number): readonly string[] {
  const [, ...names] = header
  const longest = Math.max(...names.map(({ length }) => length))
  const room = Math.max(MIN_WIDTH, width - 2 * GAP.length - longest)
  return rows.flatMap(([first = '', ...texts]) => [
    first,
    ...texts.flatMap((text, index) => {
      const lines = text === '' ? [] : wrap(text, room)
      return lines.map(
        (line, number) => `${GAP}${(number === 0 ? (names[index] ?? '') : '').padEnd(longest)}${GAP}${line}`
      )
    })
  ])
}

/** Divides a text at spaces into lines. A longer word stays whole. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Cuts a longer text, with `…` at its end. */
export function shorten(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text
}

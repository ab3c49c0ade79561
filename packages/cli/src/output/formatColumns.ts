import { escapeLine } from '@burgee/kit/text'

/**
 * Returns rows as lines with aligned columns. Lines fit the width: columns that can be left out are, in the order of
 * `optional`, which has their indexes; then the widest columns are cut with `…`, the first one and dates never.
 */
export function formatColumns(
  cells: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
  optional: readonly number[] = []
): readonly string[] {
  const [least, ...others] = optional
  if (least !== undefined && lineWidth(widthsOf(cells)) > width) {
    const kept = cells.map((row) => row.filter((_, column) => column !== least))
    return formatColumns(
      kept,
      width,
      others.map((column) => (column > least ? column - 1 : column))
    )
  }
  const rows = cells.map((row) => row.map(escapeLine))
  const widths = fit(widthsOf(rows), width, (column) => column === 0 || isOfDates(rows, column))
  return rows.map((row) =>
    row
      .map((text, column) => pad(text, widths[column] ?? 0))
      .join(GAP)
      .trimEnd()
  )
}

const GAP = '  '

/** The smallest width of a column that is cut. */
const MIN_WIDTH = 8

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  return rows.reduce<readonly number[]>((widest, row) => {
    const columns = Math.max(row.length, widest.length)
    return Array.from({ length: columns }, (_, column) => Math.max(row[column]?.length ?? 0, widest[column] ?? 0))
  }, [])
}

/** Whether a column has dates below its name, which say nothing without their end. */
function isOfDates(rows: readonly (readonly string[])[], column: number): boolean {
  const texts = rows.slice(1).flatMap((row) => row[column] || [])
  return texts.length > 0 && texts.every((text) => /^\d{4}-\d\d-\d\d( \d\d:\d\d)?$/.test(text))
}

/** Narrows the widest columns until the line fits. */
function fit(widths: readonly number[], width: number, isWhole: (column: number) => boolean): readonly number[] {
  const fitted = [...widths]
  for (let excess = lineWidth(fitted) - width; excess > 0; ) {
    const candidates = fitted.map((one, column) => (isWhole(column) || one <= MIN_WIDTH ? 0 : one))
    const widest = candidates.indexOf(Math.max(...candidates))
    const current = candidates[widest] ?? 0
    if (current === 0) return fitted
    const cut = Math.min(excess, Math.max(1, current - Math.max(MIN_WIDTH, second(candidates, widest))))
    fitted[widest] = current - cut
    excess -= cut
  }
  return fitted
}

function second(widths: readonly number[], widest: number): number {
  return Math.max(0, ...widths.filter((_, column) => column !== widest))
}

function lineWidth(widths: readonly number[]): number {
  return sum(widths) + GAP.length * (widths.length - 1)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

function pad(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text.padEnd(width)
}

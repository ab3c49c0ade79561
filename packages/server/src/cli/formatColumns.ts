import { escapeLine } from '@burgee/kit/text'

/** Returns rows as lines with aligned columns, one line each: invisible characters of names are escaped. */
export function formatColumns(cells: readonly (readonly string[])[]): readonly string[] {
  const rows = cells.map((row) => row.map(escapeLine))
  const widths = rows.reduce<readonly number[]>((widest, row) => {
    return row.map((text, column) => Math.max(text.length, widest[column] ?? 0))
  }, [])
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  )
}

/** Returns rows as lines with aligned columns. */
export function formatColumns(rows: readonly (readonly string[])[]): readonly string[] {
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

import type { ReactNode } from 'react'
import styles from './Table.module.css'

/** A column of a table. */
export interface Column<Row> {
  readonly id: string
  readonly title: ReactNode
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'end'
  /** Whether the column is only for the eye on wide screens. */
  readonly isWide?: boolean
}

interface Props<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  /** Whether the rows are low and stay rows on phones: for two or three columns of short values. */
  readonly isDense?: boolean
}

/** A table; on phones each row is a block whose cells carry the titles of their columns. The first column names the row. */
export function Table<Row>({ label, columns, rows, rowKey, isDense }: Props<Row>) {
  return (
    <div className={styles.frame}>
      <table className={`${styles.table} ${isDense ? styles.dense : styles.stacked}`} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ id, title, align, isWide }) => (
              <th key={id} scope="col" className={classes(align, isWide)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ id, title, cell, align, isWide }, index) =>
                index === 0 ? (
                  <th key={id} scope="row" className={styles.name}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={id} className={classes(align, isWide)}>
                    <span className={styles.cellTitle} aria-hidden="true">
                      {title}
                    </span>
                    {cell(row)}
                  </td>
                )
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function classes(align: 'end' | undefined, isWide: boolean | undefined): string {
  return [align === 'end' && styles.end, isWide && styles.isWide].filter(Boolean).join(' ')
}

import styles from './LineLegend.module.css'

/** The dashes of the lines of a chart, by position: colour alone does not distinguish them. */
export const DASHES: readonly (readonly number[])[] = [[], [8, 4], [2, 3], [10, 4, 2, 4], [14, 6], [4, 8]]

interface Props {
  readonly lines: readonly { readonly key: string; readonly name: string; readonly color: string }[]
}

/** The names of the lines of a chart, each beside a piece of its line. */
export function LineLegend({ lines }: Props) {
  return (
    <ul className={styles.legend}>
      {lines.map(({ key, name, color }, index) => (
        <li key={key}>
          <LineSample color={color} index={index} />
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** A piece of the line at a position of a chart. */
export function LineSample({ color, index }: { readonly color: string; readonly index: number }) {
  const dashes = (DASHES[index % DASHES.length] ?? []).join(' ')
  return (
    <svg viewBox="0 0 28 8" className={styles.sample} aria-hidden="true">
      <line x1="0" x2="28" y1="4" y2="4" style={{ stroke: color }} strokeWidth="3" strokeDasharray={dashes} />
    </svg>
  )
}

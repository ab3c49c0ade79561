import { dateFormat } from '../../preferences/dateFormat.ts'
import styles from './HourBars.module.css'
import type { Series } from './series.ts'

interface Props {
  /** The start of each period. */
  readonly dates: readonly string[]
  readonly series: readonly Pick<Series, 'key' | 'color' | 'values'>[]
  /** What the picture shows, for those who do not see it. */
  readonly label: string
}

const HEIGHT = 72
const BAR = 10
const STEP = 12

const hour = dateFormat({ hour: '2-digit', minute: '2-digit' })

/** Stacked bars of the periods of a day, the first series on top as in its legend, with the first and the last time. */
export function HourBars({ dates, series, label }: Props) {
  const sums = dates.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const highest = Math.max(1, ...sums)
  const [first, last] = [dates[0], dates.at(-1)]
  return (
    <figure className={styles.figure}>
      <svg
        viewBox={`0 0 ${dates.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        className={styles.chart}
      >
        {dates.map((date, index) => (
          <Bar key={date} x={index * STEP} index={index} series={series} scale={HEIGHT / highest} />
        ))}
      </svg>
      <figcaption className={styles.caption}>
        <span>{first && hour(first)}</span>
        <span>at most {new Intl.NumberFormat('en').format(highest)} an hour</span>
        <span>{last && hour(last)}</span>
      </figcaption>
    </figure>
  )
}

interface BarProps {
  readonly x: number
  readonly index: number
  readonly series: Props['series']
  readonly scale: number
}

function Bar({ x, index, series, scale }: BarProps) {
  let top = HEIGHT
  return series.toReversed().map(({ key, color, values }) => {
    const height = (values[index] ?? 0) * scale
    top -= height
    return height > 0 && <rect key={key} x={x} y={top} width={BAR} height={height} style={{ fill: color }} />
  })
}

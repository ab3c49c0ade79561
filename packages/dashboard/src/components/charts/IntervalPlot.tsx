import styles from './IntervalPlot.module.css'

interface Interval {
  readonly low: number
  readonly high: number
}

/** An estimate with its interval, on the scale that all rows of a table share. */
interface Props {
  readonly scale: Interval
  readonly estimate: number | null
  readonly interval: Interval
  /** Whether the estimate is decided: its dot is filled then. */
  readonly isDecided: boolean
  /** The figures in words, for those who do not see the picture. */
  readonly label: string
}

const WIDTH = 200
const HEIGHT = 24
const MIDDLE = HEIGHT / 2

/** The scale that fits intervals, with 0 in it and some room at the ends. */
export function scaleOf(intervals: readonly (Interval | null)[]): Interval {
  const known = intervals.filter((interval) => interval !== null)
  const low = Math.min(0, ...known.map((interval) => interval.low))
  const high = Math.max(0, ...known.map((interval) => interval.high))
  const room = (high - low || 1) * 0.06
  return { low: low - room, high: high + room }
}

/** A dot on its interval; the upright line is no difference. */
export function IntervalPlot({ scale, estimate, interval, isDecided, label }: Props) {
  const at = (value: number) => ((value - scale.low) / (scale.high - scale.low)) * WIDTH
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} className={styles.plot}>
      <line x1={at(0)} x2={at(0)} y1="0" y2={HEIGHT} className={styles.zero} />
      <path
        d={`M${at(interval.low)} ${MIDDLE - 5}v10M${at(interval.low)} ${MIDDLE}H${at(interval.high)}M${at(interval.high)} ${MIDDLE - 5}v10`}
        className={styles.interval}
      />
      {estimate !== null && (
        <circle cx={at(estimate)} cy={MIDDLE} r="5" className={isDecided ? styles.decided : styles.open} />
      )}
    </svg>
  )
}

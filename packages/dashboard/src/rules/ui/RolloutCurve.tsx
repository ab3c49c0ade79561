import { rolloutState } from '@burgee/contract/words'
import { formatMoment } from '../../components/Time.tsx'
import { formatHundredths, toHundredths } from '../percent.ts'
import { curveRange, rolloutCurve } from '../rollout/rolloutCurve.ts'
import { type RolloutDraft, rolloutRows, toRollout } from '../rollout/rolloutDraft.ts'
import styles from './Serve.module.css'

interface Props {
  readonly rollout: RolloutDraft
  readonly now: number
}

const WIDTH = 480
const HEIGHT = 96

/** The share of users over time, with now. The table of points is its text for screen readers. */
export function RolloutCurve({ rollout, now }: Props) {
  const [from, to] = curveRange(rollout, now)
  const curve = rolloutCurve(rollout, from, to)
  if (curve.length === 0) return null
  const x = (at: number) => ((at - from) / (to - from)) * WIDTH
  const y = (share: number) => 4 + (1 - share) * (HEIGHT - 8)
  const points = curve.map(({ at, share }) => `${x(at).toFixed(1)},${y(share).toFixed(1)}`)
  const share = rolloutState(toRollout(rollout), now).share
  return (
    <figure className={styles.curve}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path className={styles.guide} d={`M0 ${y(0)}H${WIDTH}M0 ${y(0.5)}H${WIDTH}M0 ${y(1)}H${WIDTH}`} />
        <path
          className={styles.area}
          d={`M0,${y(0)} ${points.map((point) => `L${point}`).join(' ')} L${WIDTH},${y(0)}Z`}
        />
        <polyline className={styles.line} points={points.join(' ')} />
        <path className={styles.now} d={`M${x(now)} 0V${HEIGHT}`} />
      </svg>
      <div className={styles.scale} aria-hidden="true">
        <span>{formatMoment(from)}</span>
        <span>{formatMoment(to)}</span>
      </div>
      <figcaption className={styles.note}>
        Now {percent(Math.round(share * 1000) / 1000)} of these users are included.
      </figcaption>
      <table className="visually-hidden">
        <caption>Share of these users that is included</caption>
        <tbody>
          {rolloutRows(rollout, now).map((row) => (
            <tr key={row.row}>
              <th scope="row">{formatMoment(row.at)}</th>
              <td>
                {row.change === 'grow' ? 'grows to ' : ''}
                {percent(row.share)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

function percent(share: number): string {
  return `${formatHundredths(toHundredths(share))}%`
}

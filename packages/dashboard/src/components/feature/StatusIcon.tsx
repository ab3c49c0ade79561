import { useId } from 'react'
import styles from './StatusIcon.module.css'

/** The states of a feature in an environment, as they are drawn. */
export type StatusIconState = 'on' | 'partly' | 'scheduled' | 'off' | 'killed'

interface Props {
  readonly state: StatusIconState
  /** For `partly`: the share of users from 0 to 1, filled from the left. */
  readonly share?: number | undefined
}

const SHAPE = 'M2 2.5 14.5 4.2 10.6 8 14.5 11.8 2 13.5z'

/** The state of a feature as a small flag. The words beside it name the state, so it is hidden from screen readers. */
export function StatusIcon({ state, share = 0 }: Props) {
  const clip = useId()
  return (
    <svg className={`${styles.icon} ${styles[state]}`} viewBox="0 0 16 16" aria-hidden="true">
      {state === 'partly' && (
        <>
          <clipPath id={clip}>
            <rect x="2" y="0" width={12.5 * Math.max(0.12, Math.min(0.92, share))} height="16" />
          </clipPath>
          <path d={SHAPE} className={styles.fill} clipPath={`url(#${clip})`} />
        </>
      )}
      <path d={SHAPE} className={state === 'on' ? styles.full : styles.outline} />
      {state === 'killed' && <path d="M1 14.5 15 1.5" className={styles.strike} />}
    </svg>
  )
}

import { Switch as Base } from '@base-ui/react/switch'
import styles from './Switch.module.css'

interface Props {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  /** Why it cannot be changed. */
  readonly reason?: string | undefined
  /** The words beside it; "on" and "off" by default. */
  readonly words?: readonly [on: string, off: string]
}

/** A switch with a label of its state. */
export function Switch({ label, isOn, onChange, reason, words = ['on', 'off'] }: Props) {
  return (
    <span className={styles.switch} title={reason}>
      <Base.Root
        checked={isOn}
        onCheckedChange={onChange}
        disabled={reason !== undefined}
        aria-label={reason ? `${label} (${reason})` : label}
        className={styles.track}
      >
        <Base.Thumb className={styles.thumb} />
      </Base.Root>
      <span aria-hidden="true">{words[isOn ? 0 : 1]}</span>
    </span>
  )
}

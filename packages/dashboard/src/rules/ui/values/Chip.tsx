import { X } from 'lucide-react'
import styles from './Chips.module.css'

interface Props {
  readonly name: string
  readonly value: unknown
  readonly isWrong: boolean
  readonly onRemove: () => void
}

/** A value of a list, with a button that removes it. */
export function Chip({ name, value, isWrong, onRemove }: Props) {
  return (
    <li className={`${styles.chip} ${isWrong ? styles.wrong : ''}`}>
      <bdi className={styles.name} title={name}>
        {withVisibleSpaces(name, value)}
      </bdi>
      <button type="button" className={styles.remove} aria-label={`Remove ${name}`} onClick={onRemove}>
        <X size={14} aria-hidden="true" />
      </button>
    </li>
  )
}

/** Spaces at the ends, which are easily overlooked, are shown as a sign. */
function withVisibleSpaces(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === value.trim()) return name
  return name.replace(/^\s+|\s+$/g, (spaces) => '␠'.repeat(spaces.length))
}

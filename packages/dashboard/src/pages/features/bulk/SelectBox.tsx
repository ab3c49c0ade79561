import { useEffect, useRef } from 'react'
import styles from './SelectBox.module.css'

interface Props {
  readonly label: string
  readonly isChecked: boolean
  /** Whether some rows are selected and others are not. */
  readonly isMixed?: boolean
  readonly onChange: (isChecked: boolean, isRange: boolean) => void
}

/** The checkbox of a row, or of all rows. */
export function SelectBox({ label, isChecked, isMixed = false, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isMixed
  }, [isMixed])
  return (
    <label className={styles.box} title={label}>
      <span className="visually-hidden">{label}</span>
      <input
        ref={box}
        type="checkbox"
        checked={isChecked}
        onChange={({ target, nativeEvent }) =>
          onChange(target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </label>
  )
}

import styles from './SelectBox.module.css'

interface Props {
  readonly label: string
  readonly isChecked: boolean
  /** Whether some rows are selected and others are not. */
  readonly isMixed?: boolean
  readonly onChange: (isChecked: boolean) => void
}

/** The checkbox of a row, or of all rows. */
export function SelectBox({ label, isChecked, isMixed = false, onChange }: Props) {
  return (
    <label className={styles.box}>
      <input
        ref={(box) => {
          if (box) box.indeterminate = isMixed
        }}
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        onChange={({ target }) => onChange(target.checked)}
      />
    </label>
  )
}

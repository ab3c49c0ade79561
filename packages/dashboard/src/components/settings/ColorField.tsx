import type { ReactNode } from 'react'
import { Field } from '../Field.tsx'
import styles from './Settings.module.css'

interface Props {
  readonly label: string
  readonly hint?: ReactNode
  /** Empty without a colour. */
  readonly value: string
  readonly onChange: (color: string) => void
  readonly error?: string | undefined
}

/** A colour, chosen with the browser's picker. */
export function ColorField({ label, hint, value, onChange, error }: Props) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => (
        <input
          {...props}
          type="color"
          className={styles.color}
          value={value === '' ? '#7d8a85' : toSixDigits(value)}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}

/** A colour with six digits, as the browser's picker takes it. */
export function toSixDigits(color: string): string {
  const digits = color.slice(1)
  return digits.length < 6
    ? `#${[...digits.slice(0, 3)].map((digit) => digit + digit).join('')}`
    : `#${digits.slice(0, 6)}`
}

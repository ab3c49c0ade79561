import { useEffect, useState } from 'react'
import { Field } from '../../components/Field.tsx'
import { formatHundredths, parsePercent, WHOLE } from '../percent.ts'
import styles from './Serve.module.css'

const NOTICE_MS = 10_000

interface Props {
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly hundredths: number
  /** The text while the field is not edited, where hundredths are rounded. */
  readonly text?: string
  readonly onChange: (hundredths: number) => void
  /** Why a share is not possible. The share is limited all the same. */
  readonly refusalOf?: (hundredths: number) => string | undefined
  readonly error?: string | undefined
}

/** A share in percent with up to two decimals. Arrows change it by 1%, with Shift by 10%. */
export function PercentField({ label, isLabelHidden, hundredths, text, onChange, refusalOf, error }: Props) {
  const [typed, setTyped] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const change = (next: number) => {
    setRefusal(refusalOf?.(next))
    onChange(next)
  }
  // The message about rejected input disappears after a while, like a notice.
  useEffect(() => {
    if (refusal === undefined || typed !== undefined) return
    const timer = setTimeout(() => setRefusal(undefined), NOTICE_MS)
    return () => clearTimeout(timer)
  }, [refusal, typed])
  const onType = (value: string) => {
    setTyped(value)
    const parsed = parsePercent(value)
    if (parsed === undefined) setRefusal('enter a number from 0 to 100, with at most two decimals')
    else change(parsed)
  }
  const leave = () => {
    if (typed !== undefined && parsePercent(typed) === undefined) {
      const kept = `the share stays ${formatHundredths(hundredths)}%`
      setRefusal(`“${typed}” is not a number from 0 to 100 with at most two decimals: ${kept}`)
    }
    setTyped(undefined)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const sign = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (sign === 0) return
    event.preventDefault()
    setTyped(undefined)
    change(Math.max(0, Math.min(WHOLE, hundredths + sign * (event.shiftKey ? 1000 : 100))))
  }
  return (
    <Field label={label} {...(isLabelHidden ? { isLabelHidden } : {})} error={refusal ?? error}>
      {(props) => (
        <span className={styles.percent}>
          <input
            {...props}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            value={typed ?? text ?? formatHundredths(hundredths)}
            onChange={({ target }) => onType(target.value)}
            onKeyDown={onKeyDown}
            onBlur={leave}
          />
          <span aria-hidden="true">%</span>
        </span>
      )}
    </Field>
  )
}

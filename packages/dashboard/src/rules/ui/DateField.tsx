import { Field } from '../../components/Field.tsx'
import styles from './Serve.module.css'

interface Props {
  readonly label: string
  readonly isLabelHidden?: boolean
  /** ISO 8601, or empty. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error?: string | undefined
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const inUtc = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit'
})

/** A moment: date and time in the zone of the browser, and in UTC beside it. */
export function DateField({ label, isLabelHidden, value, onChange, error }: Props) {
  const moment = Date.parse(value)
  const hint = Number.isNaN(moment) || zone === 'UTC' ? zone : `${inUtc.format(moment)} UTC`
  return (
    <Field label={label} hint={hint} error={error} {...(isLabelHidden ? { isLabelHidden } : {})}>
      {(props) => (
        <input
          {...props}
          type="datetime-local"
          className={styles.date}
          value={toLocal(moment)}
          onChange={({ target }) => onChange(fromLocal(target.value))}
        />
      )}
    </Field>
  )
}

/** The value of the browser's control, in its zone. */
function toLocal(moment: number): string {
  if (Number.isNaN(moment)) return ''
  const offset = new Date(moment).getTimezoneOffset() * 60_000
  return new Date(moment - offset).toISOString().slice(0, 16)
}

function fromLocal(text: string): string {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString()
}

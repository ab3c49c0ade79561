import { TextField } from '../parts/Field.tsx'
import { MAX_REASON_LENGTH } from '../parts/forms/lengths.ts'

interface Props {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Why features are killed. */
export function KillReasonField({ value, onChange }: Props) {
  return (
    <TextField
      label="Reason (optional)"
      value={value}
      onChange={onChange}
      maxLength={MAX_REASON_LENGTH}
      hint="Recorded in the history with your name and the time."
    />
  )
}

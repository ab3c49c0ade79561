import { MAX_DESCRIPTION_LENGTH } from '@burgee/contract/words'
import { TextField } from '../components/Field.tsx'

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
      maxLength={MAX_DESCRIPTION_LENGTH}
      hint="Recorded in the history with your name and the time."
    />
  )
}

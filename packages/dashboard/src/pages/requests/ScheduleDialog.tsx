import { type FormEvent, useState } from 'react'
import { issueAt } from '../../api/query.ts'
import { Button } from '../../parts/Button.tsx'
import { Dialog, DialogButtons } from '../../parts/Dialog.tsx'
import { TextField } from '../../parts/Field.tsx'
import { FormError } from '../../parts/forms/FormError.tsx'
import styles from './Requests.module.css'

interface Props {
  readonly error: Error | null
  readonly isBusy: boolean
  /** Whether the request is already scheduled, so that the schedule can be removed. */
  readonly isScheduled: boolean
  /** The time, ISO 8601; null for none. */
  readonly onConfirm: (applyAt: string | null) => void
  readonly onClose: () => void
}

const utc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })

/** When the server applies an approved request. */
export function ScheduleDialog({ error, isBusy, isScheduled, onConfirm, onClose }: Props) {
  const [value, setValue] = useState('')
  const [problem, setProblem] = useState<string>()
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const at = new Date(value)
  const isValid = !Number.isNaN(at.getTime())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isValid || at.getTime() <= Date.now()) return setProblem('should be a time in the future')
    setProblem(undefined)
    if (!isBusy) onConfirm(at.toISOString())
  }
  return (
    <Dialog isOpen onClose={onClose} title="Schedule">
      <form onSubmit={submit} className={styles.form} noValidate>
        <p>The server applies the request then, with the permissions that you have at that time.</p>
        <TextField
          label="Date and time"
          type="datetime-local"
          value={value}
          onChange={setValue}
          hint={isValid ? `In ${timeZone}; that is ${utc.format(at)} UTC.` : `In your time zone, ${timeZone}.`}
          error={problem ?? issueAt(error, 'applyAt')}
          autoFocus
        />
        <FormError error={error} fields={['applyAt']} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          {isScheduled && (
            <Button onClick={() => onConfirm(null)} isBusy={isBusy}>
              Do not apply by itself
            </Button>
          )}
          <Button type="submit" kind="primary" isBusy={isBusy}>
            Schedule
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

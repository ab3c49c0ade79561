import { type FormEvent, useState } from 'react'
import { issueAt } from '../../../api/query.ts'
import { Button } from '../../../components/Button.tsx'
import { Dialog, DialogButtons } from '../../../components/Dialog.tsx'
import { TextField } from '../../../components/Field.tsx'
import { FormError } from '../../../components/forms/FormError.tsx'
import styles from '../Requests.module.css'
import { type ActionDialogProps, isUnderWay, useActionDialog } from './useActionDialog.ts'

const utc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })

/** When the server applies an approved request. */
export function ScheduleDialog(props: ActionDialogProps) {
  const { request, onClose } = props
  const { schedule, params, finishWith } = useActionDialog(props)
  const { error } = schedule
  const isBusy = isUnderWay(schedule)
  const isScheduled = request.applyAt !== undefined
  const [value, setValue] = useState('')
  const [problem, setProblem] = useState<string>()
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const at = new Date(value)
  const isValid = !Number.isNaN(at.getTime())
  const applyAt = (time: string | null) =>
    schedule.mutate({ params, body: { applyAt: time } }, finishWith(time ? 'Scheduled' : 'Removed the schedule'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isValid || at.getTime() <= Date.now()) return setProblem('Choose a time in the future.')
    setProblem(undefined)
    if (!isBusy) applyAt(at.toISOString())
  }
  return (
    <Dialog isOpen onClose={onClose} title={isScheduled ? 'Change the schedule' : 'Schedule'}>
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
            <Button onClick={() => applyAt(null)} isBusy={isBusy}>
              Remove the schedule
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

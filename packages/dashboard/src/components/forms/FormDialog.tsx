import type { FormEvent, ReactNode } from 'react'
import { Button } from '../Button.tsx'
import dialogStyles from '../Dialog.module.css'
import { Dialog, DialogButtons } from '../Dialog.tsx'
import { FormError } from './FormError.tsx'

interface Props {
  readonly onClose: () => void
  readonly title: string
  readonly shape?: 'box' | 'sheet' | 'wide'
  /** The label of the button that submits, for example "Create project". */
  readonly action: string
  readonly isDangerous?: boolean
  /** Called unless a request is under way or there is a `reason` against it. */
  readonly onSubmit: () => void
  readonly isBusy?: boolean
  /** Why the form cannot be submitted. */
  readonly reason?: string | undefined
  readonly error?: Error | null
  /** The fields that show their own problems, as paths joined by dots. */
  readonly fields?: readonly string[]
  readonly children: ReactNode
}

/** A dialog with a form: the fields, what went wrong, and the buttons that cancel and submit. */
export function FormDialog({ onClose, title, shape = 'box', onSubmit, children, ...rest }: Props) {
  const { action, isDangerous = false, isBusy = false, reason, error = null, fields = [] } = rest
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React passes events on to the form in which the dialog is rendered.
    event.stopPropagation()
    if (!isBusy && reason === undefined) onSubmit()
  }
  return (
    <Dialog isOpen onClose={onClose} title={title} shape={shape}>
      <form onSubmit={submit} className={dialogStyles.form} noValidate>
        {children}
        <FormError error={error} fields={fields} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} isBusy={isBusy} reason={reason}>
            {action}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

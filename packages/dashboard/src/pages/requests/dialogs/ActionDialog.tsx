import { type FormEvent, type ReactNode, useState } from 'react'
import { issueAt } from '../../../api/query.ts'
import { Button } from '../../../components/Button.tsx'
import { Dialog, DialogButtons } from '../../../components/Dialog.tsx'
import { TextAreaField } from '../../../components/Field.tsx'
import { FormError } from '../../../components/forms/FormError.tsx'
import styles from '../Requests.module.css'

interface Props {
  readonly title: string
  /** What happens, for whom. */
  readonly children: ReactNode
  /** Names the act. */
  readonly action: string
  readonly isDangerous?: boolean
  /** An act that goes further; `reason` says why it is not possible. */
  readonly further?: {
    readonly action: string
    readonly reason: string | undefined
    readonly onConfirm: (text: string) => void
  }
  /** The text that goes with the act; absent if there is none. */
  readonly text?: {
    readonly label: string
    /** The member of the request's body, for its problems. */
    readonly member: string
    readonly hint?: string
    readonly initial?: string
    /** The fewest characters. */
    readonly min?: number
  }
  readonly error: Error | null
  readonly isBusy: boolean
  readonly onConfirm: (text: string) => void
  readonly onClose: () => void
}

/** Asks before an act on a request, with the text that goes with it. */
export function ActionDialog(props: Props) {
  const { title, children, action, isDangerous = false, further, text, error, isBusy, onConfirm, onClose } = props
  const [value, setValue] = useState(text?.initial ?? '')
  const [isTried, setTried] = useState(false)
  const min = text?.min ?? 0
  const isShort = value.trim().length < min
  const problem = min > 1 ? `Enter at least ${min} characters.` : 'Enter a reason.'
  const confirm = (act: (text: string) => void) => {
    setTried(true)
    if (!isShort && !isBusy) act(value.trim())
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm(onConfirm)
  }
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <form onSubmit={submit} className={styles.form} noValidate>
        {children}
        {text && (
          <TextAreaField
            label={text.label}
            hint={text.hint}
            value={value}
            onChange={setValue}
            error={isTried && isShort ? problem : issueAt(error, text.member)}
            autoFocus
          />
        )}
        <FormError error={error} fields={text ? [text.member] : []} />
        <DialogButtons>
          <Button onClick={onClose} autoFocus={!text}>
            Cancel
          </Button>
          {further && (
            <Button isBusy={isBusy} reason={further.reason} onClick={() => confirm(further.onConfirm)}>
              {further.action}
            </Button>
          )}
          <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} isBusy={isBusy}>
            {action}
          </Button>
        </DialogButtons>
        {further?.reason !== undefined && (
          <p className={styles.soft}>
            {further.action}: {further.reason}.
          </p>
        )}
      </form>
    </Dialog>
  )
}

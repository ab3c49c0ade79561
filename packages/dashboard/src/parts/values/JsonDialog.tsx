import { type FormEvent, useState } from 'react'
import { Button } from '../Button.tsx'
import { Dialog, DialogButtons } from '../Dialog.tsx'
import { TextAreaField } from '../Field.tsx'
import styles from './Values.module.css'
import { jsonSize, parseJsonObject, toText, type VariableValue } from './valueText.ts'

interface Props {
  readonly title: string
  readonly value: VariableValue | undefined
  readonly onClose: () => void
  /** Takes the value; returns what the server finds wrong with it, which keeps the dialog open. */
  readonly onApply: (value: VariableValue) => Promise<string | undefined>
}

/** An object as text: formatted, minified, checked by the server before it is taken. */
export function JsonDialog({ title, value, onClose, onApply }: Props) {
  const [text, setText] = useState(() => toText(value))
  const [issue, setIssue] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const parsed = parseJsonObject(text)
  const write = (next: string) => {
    setText(next)
    setIssue(undefined)
  }
  const rewrite = (indent: number) => {
    if ('value' in parsed) write(JSON.stringify(parsed.value, null, indent))
    else setIssue(parsed.problem)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if ('problem' in parsed) return setIssue(parsed.problem)
    setBusy(true)
    setIssue(await onApply(parsed.value).finally(() => setBusy(false)))
  }
  return (
    <Dialog isOpen onClose={onClose} title={title} shape="wide">
      <form onSubmit={(event) => void submit(event)} className={styles.form} noValidate>
        <div className={styles.tools}>
          <Button onClick={() => rewrite(2)}>Format</Button>
          <Button onClick={() => rewrite(0)}>Minify</Button>
          <output className={styles.size}>{jsonSize(text)}</output>
        </div>
        <TextAreaField
          label="JSON object"
          value={text}
          onChange={write}
          isCode
          rows={12}
          error={issue}
          dir="ltr"
          autoFocus
        />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            Use this value
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

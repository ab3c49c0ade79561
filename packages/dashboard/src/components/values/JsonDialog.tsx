import { type FormEvent, useState } from 'react'
import { Button } from '../Button.tsx'
import { Dialog, DialogButtons } from '../Dialog.tsx'
import { describeError } from '../States.tsx'
import { JsonField, type JsonIssue } from './JsonField.tsx'
import { findTextProblem, readJsonText } from './jsonText.ts'
import styles from './Values.module.css'
import { jsonSize, parseJsonObject, toText, type VariableValue } from './valueText.ts'

interface Props {
  readonly title: string
  readonly value: VariableValue | undefined
  readonly onClose: () => void
  /** Takes the value; returns what the server finds wrong with it, which keeps the dialog open. */
  readonly onApply: (value: VariableValue) => Promise<string | undefined>
}

/** An object as text: formatted, minified, checked by the server before it is taken. An issue is shown at its line. */
export function JsonDialog({ title, value, onClose, onApply }: Props) {
  const [text, setText] = useState(() => toText(value))
  const [issue, setIssue] = useState<JsonIssue>()
  const [isBusy, setBusy] = useState(false)
  const parsed = parseJsonObject(text)
  const write = (next: string) => {
    setText(next)
    setIssue(undefined)
  }
  const rewrite = (indent: number) => {
    if ('value' in parsed) write(JSON.stringify(parsed.value, null, indent))
    else setIssue({ text: parsed.problem, offset: findTextProblem(text)?.offset })
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if ('problem' in parsed) return setIssue({ text: parsed.problem, offset: findTextProblem(text)?.offset })
    setBusy(true)
    const found = await onApply(parsed.value)
      .catch((error: unknown) => describeError(error))
      .finally(() => setBusy(false))
    setIssue(found === undefined ? undefined : { text: found, offset: readJsonText(text).places.get(pointerIn(found)) })
  }
  return (
    <Dialog isOpen onClose={onClose} title={title} shape="wide">
      <form onSubmit={(event) => void submit(event)} className={styles.form} noValidate>
        <div className={styles.tools}>
          <Button onClick={() => rewrite(2)}>Format</Button>
          <Button onClick={() => rewrite(0)}>Minify</Button>
          <output className={styles.size}>{jsonSize(text)}</output>
        </div>
        <JsonField label="JSON object" value={text} onChange={write} issue={issue} autoFocus />
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

/**
 * The pointer of the value that an issue of the server is about, for example "should fit its JSON Schema: /limit must
 * be number".
 */
function pointerIn(issue: string): string {
  return /: (\/\S*) /.exec(issue)?.[1] ?? ''
}

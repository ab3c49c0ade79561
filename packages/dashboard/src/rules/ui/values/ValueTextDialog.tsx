import { useMemo, useState } from 'react'
import { Button } from '../../../parts/Button.tsx'
import { Dialog } from '../../../parts/Dialog.tsx'
import { TextAreaField } from '../../../parts/Field.tsx'
import type { ValueType } from '../../properties.ts'
import { formatValues, parseValues, sortValues } from '../../valueList.ts'
import styles from './Chips.module.css'

interface Props {
  readonly values: readonly unknown[]
  readonly valueType: ValueType
  readonly onChange: (values: readonly unknown[]) => void
  readonly onClose: () => void
}

const SHOWN_PROBLEMS = 5

/** A list of values as text, one a line. */
export function ValueTextDialog({ values, valueType, onChange, onClose }: Props) {
  const [text, setText] = useState(() => formatValues(values))
  const parsed = useMemo(() => parseValues(text, valueType), [text, valueType])
  const { invalid, duplicates, overLimit } = parsed
  const refusal =
    invalid.length > 0
      ? `${count(invalid.length, 'value')} cannot be used`
      : overLimit.length > 0
        ? `${count(overLimit.length, 'value')} over the limit`
        : undefined
  const readFile = async (file: File | undefined) => {
    if (file) setText(await file.text())
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Values as text"
      shape="wide"
      actions={
        <>
          <Button onClick={() => setText(formatValues(sortValues(parsed.values)))}>Sort</Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            reason={refusal}
            onClick={() => {
              onChange(parsed.values)
              onClose()
            }}
          >
            Use {count(parsed.values.length, 'value')}
          </Button>
        </>
      }
    >
      <TextAreaField
        label="One value a line, or separated by commas. A text file can be dropped here."
        value={text}
        onChange={setText}
        isCode
        rows={14}
        onDrop={(event) => {
          if (event.dataTransfer.files.length === 0) return
          event.preventDefault()
          void readFile(event.dataTransfer.files[0])
        }}
      />
      <ul className={styles.problems} role="status">
        {invalid.slice(0, SHOWN_PROBLEMS).map(({ line, message }) => (
          <li key={`${line} ${message}`} className={styles.error}>
            Line {line}: {message}
          </li>
        ))}
        {invalid.length > SHOWN_PROBLEMS && <li>and {count(invalid.length - SHOWN_PROBLEMS, 'more problem')}</li>}
        {duplicates.length > 0 && <li>{count(duplicates.length, 'duplicate')} will be dropped.</li>}
      </ul>
    </Dialog>
  )
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}

import { useMemo, useRef, useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { saveFile } from '../../../components/export/saveFile.ts'
import { TextAreaField, TextField } from '../../../components/Field.tsx'
import type { ValueType } from '../../properties.ts'
import { formatValues, parseValues, sortValues } from '../../valueList.ts'
import styles from './Chips.module.css'
import { findMatches } from './findMatches.ts'

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
  const area = useRef<HTMLTextAreaElement>(null)
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
          <Button
            onClick={() =>
              saveFile(new Blob([`${formatValues(parsed.values)}\n`], { type: 'text/plain' }), 'values.txt')
            }
          >
            Export
          </Button>
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
      <FindField text={text} area={area} />
      <TextAreaField
        ref={area}
        label="One value per line, or separated by commas. You can drop a text file here."
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
      <div role="status">
        <ul className={styles.problems}>
          {invalid.slice(0, SHOWN_PROBLEMS).map(({ line, message }) => (
            <li key={`${line} ${message}`} className={styles.error}>
              Line {line}: {message}
            </li>
          ))}
          {invalid.length > SHOWN_PROBLEMS && <li>and {count(invalid.length - SHOWN_PROBLEMS, 'more problem')}</li>}
          {duplicates.length > 0 && <li>{count(duplicates.length, 'duplicate')} will be dropped.</li>}
        </ul>
      </div>
    </Dialog>
  )
}

interface FindProps {
  readonly text: string
  readonly area: React.RefObject<HTMLTextAreaElement | null>
}

/** Counts the matches of a text. Enter selects the next one. */
function FindField({ text, area }: FindProps) {
  const [wanted, setWanted] = useState('')
  const matches = useMemo(() => findMatches(text, wanted), [text, wanted])
  const selectNext = () => {
    const { current } = area
    const next = matches.find((start) => start >= (current?.selectionEnd ?? 0)) ?? matches[0]
    if (!current || next === undefined) return
    current.focus()
    current.setSelectionRange(next, next + wanted.length)
  }
  return (
    <form
      className={styles.find}
      onSubmit={(event) => {
        event.preventDefault()
        selectNext()
      }}
    >
      <TextField type="search" label="Find" value={wanted} onChange={setWanted} />
      <Button type="submit" reason={matches.length === 0 ? 'no match' : undefined}>
        Next
      </Button>
      <span role="status">{wanted !== '' && count(matches.length, 'match', 'matches')}</span>
    </form>
  )
}

function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`
}

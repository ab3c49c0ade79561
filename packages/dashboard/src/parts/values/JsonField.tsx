import { type TextareaHTMLAttributes, useEffect, useRef } from 'react'
import fields from '../Field.module.css'
import { Field } from '../Field.tsx'
import { lineAt } from './jsonText.ts'
import styles from './Values.module.css'

/** What is wrong with a JSON text, and at which offset. */
export interface JsonIssue {
  readonly text: string
  readonly offset?: number | undefined
}

interface Props extends Pick<TextareaHTMLAttributes<HTMLTextAreaElement>, 'autoFocus'> {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly issue: JsonIssue | undefined
}

/** A JSON text with the numbers of its lines. The line of an issue is marked, and the cursor goes there. */
export function JsonField({ label, value, onChange, issue, ...rest }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const numbers = useRef<HTMLPreElement>(null)
  const count = lineAt(value, value.length)
  const line = issue?.offset === undefined ? undefined : lineAt(value, issue.offset)
  useEffect(() => {
    if (issue?.offset === undefined) return
    area.current?.focus()
    area.current?.setSelectionRange(issue.offset, issue.offset)
  }, [issue])
  return (
    <Field label={label} error={issue?.text}>
      {(props) => (
        <div className={styles.editor}>
          <pre ref={numbers} aria-hidden="true" className={styles.lines}>
            {line === undefined ? (
              range(1, count)
            ) : (
              <>
                {range(1, line - 1)}
                <mark className={styles.marked}>{`${line}\n`}</mark>
                {range(line + 1, count)}
              </>
            )}
          </pre>
          <textarea
            {...rest}
            {...props}
            ref={area}
            className={`${fields.control} ${fields.area} ${fields.code}`}
            rows={12}
            wrap="off"
            dir="ltr"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onScroll={({ currentTarget }) => {
              if (numbers.current) numbers.current.scrollTop = currentTarget.scrollTop
            }}
          />
        </div>
      )}
    </Field>
  )
}

/** The numbers of lines, one in each. */
function range(first: number, last: number): string {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => `${first + index}\n`).join('')
}

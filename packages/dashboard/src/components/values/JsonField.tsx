import { memo, type TextareaHTMLAttributes, useCallback, useEffect, useRef } from 'react'
import fields from '../Field.module.css'
import { Field } from '../Field.tsx'
import { jsonParts } from './jsonParts.ts'
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

/** Longer texts have no colours, so that typing stays fast. */
const MAX_COLORED = 20_000

/**
 * A JSON text with colours and the numbers of its lines. The line of an issue is marked, and the cursor goes there. The
 * colours are those of a copy of the text behind the text area, whose own text is transparent.
 */
export function JsonField({ label, value, onChange, issue, ...rest }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const numbers = useRef<HTMLPreElement>(null)
  const colors = useRef<HTMLElement>(null)
  const isColored = value.length <= MAX_COLORED
  const count = lineAt(value, value.length)
  const line = issue?.offset === undefined ? undefined : lineAt(value, issue.offset)
  const align = useCallback(() => {
    const { scrollLeft = 0, scrollTop = 0 } = area.current ?? {}
    if (numbers.current) numbers.current.scrollTop = scrollTop
    if (colors.current) colors.current.style.translate = `${-scrollLeft}px ${-scrollTop}px`
  }, [])
  // A text that became short enough may be scrolled.
  useEffect(() => {
    if (isColored) align()
  }, [isColored, align])
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
          {isColored && (
            <pre
              aria-hidden="true"
              dir="ltr"
              className={`${fields.control} ${fields.area} ${fields.code} ${styles.colors}`}
            >
              <code ref={colors}>
                <Colors text={value} />
              </code>
            </pre>
          )}
          <textarea
            {...rest}
            {...props}
            ref={area}
            className={`${fields.control} ${fields.area} ${fields.code} ${isColored ? styles.colored : ''}`}
            rows={12}
            wrap="off"
            dir="ltr"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onScroll={align}
          />
        </div>
      )}
    </Field>
  )
}

/** The text in colours. */
const Colors = memo(({ text }: { readonly text: string }) =>
  jsonParts(text).map(({ text: part, kind }, index) =>
    kind === undefined ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity, and hold no state.
      <span key={index} className={styles[kind]}>
        {part}
      </span>
    )
  )
)

/** The numbers of lines, one in each. */
function range(first: number, last: number): string {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => `${first + index}\n`).join('')
}

import type { Variable } from '@burgee/contract/schemas'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { numberWarning, parseValue, toText, type VariableValue } from '../../components/values/valueText.ts'
import type { GridControl } from './useGridFocus.ts'
import { ValueText } from './ValueText.tsx'
import styles from './Variations.module.css'

interface Props {
  readonly variable: Variable
  /** Names the cell, for example "button-color in Variation On". */
  readonly label: string
  readonly value: VariableValue | undefined
  readonly isChanged: boolean
  /** What the server finds wrong with the value. */
  readonly issue: string | undefined
  readonly isReadonly: boolean
  readonly control: GridControl
  readonly onChange: (value: VariableValue) => void
  readonly onOpenJson: () => void
}

/** The value of a variable in a variation. Enter or a click edits it, Escape leaves it as it was. */
export function ValueCell(props: Props) {
  const { variable, label, value, isChanged, issue, isReadonly, control, onChange, onOpenJson } = props
  const [isEditing, setEditing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const edit = () => {
    if (isReadonly) return
    if (variable.type === 'Boolean') return onChange(value !== true)
    if (variable.type === 'JSON') return onOpenJson()
    setEditing(true)
  }
  const end = (hasFocus: boolean) => {
    setEditing(false)
    if (hasFocus) requestAnimationFrame(() => button.current?.focus())
  }
  if (isEditing) {
    return <CellEditor {...props} onEnd={end} />
  }
  return (
    <div className={styles.value}>
      <button
        {...control}
        ref={button}
        type="button"
        className={styles.cell}
        aria-disabled={isReadonly || undefined}
        aria-invalid={issue ? true : undefined}
        aria-describedby={issue ? id : undefined}
        onClick={edit}
        onKeyDown={(event) => {
          if (event.key === 'F2') edit()
        }}
      >
        <span className="visually-hidden">{label}: </span>
        <ValueText type={variable.type} value={value} />
        {isChanged && <span className={styles.dot} title="changed" />}
        {isChanged && <span className="visually-hidden">, changed</span>}
      </button>
      {issue && (
        <p id={id} className={styles.issue}>
          {issue}
        </p>
      )}
    </div>
  )
}

/** The field in a cell. An invalid text stays in it, with a message. */
function CellEditor({
  variable,
  label,
  value,
  control,
  onChange,
  onEnd
}: Props & { readonly onEnd: (hasFocus: boolean) => void }) {
  const [text, setText] = useState(() => toText(value))
  const [problem, setProblem] = useState<string>()
  const isOver = useRef(false)
  const id = useId()
  const schema = variable.validationSchema
  const commit = (next: string, hasFocus: boolean) => {
    if (isOver.current) return
    const parsed = parseValue(variable.type, next)
    if ('problem' in parsed) return setProblem(parsed.problem)
    isOver.current = true
    if (parsed.value !== value) onChange(parsed.value)
    onEnd(hasFocus)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') {
      isOver.current = true
      onEnd(true)
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      commit(text, true)
    }
  }
  const note = problem ?? (variable.type === 'Number' ? numberWarning(text) : schema?.description)
  const shared = {
    'aria-label': label,
    'aria-describedby': note ? id : undefined,
    'aria-invalid': problem ? (true as const) : undefined,
    autoFocus: true,
    'data-cell': control['data-cell'],
    className: styles.editor,
    onKeyDown,
    onBlur: () => commit(text, false)
  }
  return (
    <div className={styles.value}>
      {schema?.schemaType === 'enum' ? (
        <select {...shared} value={text} onChange={({ target }) => setText(target.value)}>
          {withCurrent(schema.enumValues.map(String), toText(value)).map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <textarea
          {...shared}
          rows={1}
          dir="auto"
          spellCheck={false}
          inputMode={variable.type === 'Number' ? 'decimal' : undefined}
          value={text}
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => {
            setText(target.value)
            setProblem(undefined)
          }}
        />
      )}
      {note && (
        <p id={id} className={problem ? styles.issue : styles.note}>
          {note}
        </p>
      )}
    </div>
  )
}

/** The choices of an enum, and the present value where it is none of them. */
function withCurrent(choices: readonly string[], current: string): readonly string[] {
  return choices.includes(current) ? choices : [current, ...choices]
}

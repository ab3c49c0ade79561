import { useId, useRef, useState } from 'react'
import type { ConditionMessage } from '../../conditionMessages.ts'
import { trimValue } from '../../conditions.ts'
import type { ValueType } from '../../properties.ts'
import { parseValues } from '../../valueList.ts'
import { Chip } from './Chip.tsx'
import styles from './Chips.module.css'
import { SuggestionList } from './SuggestionList.tsx'
import { findSuggestion, matchingSuggestions, type Suggestion, translateNames, unlistedValues } from './suggestions.ts'
import { ValueTextDialog } from './ValueTextDialog.tsx'

interface Props {
  readonly label: string
  readonly valueType: ValueType
  readonly values: readonly unknown[]
  readonly onChange: (values: readonly unknown[]) => void
  readonly suggestions?: readonly Suggestion[]
  /** Whether values besides the suggestions can be typed. */
  readonly allowsOthers: boolean
  readonly nameOf: (value: unknown) => string
  readonly messages: readonly ConditionMessage[]
}

/** From this number on, a list shows its first values only. */
const MANY = 50
const SHOWN_OF_MANY = 20
const MAX_SUGGESTIONS = 8

/** A list of values, each with a button that removes it, and an input that adds to it. */
export function ValueChips(props: Props) {
  const { label, valueType, values, onChange, suggestions = [], allowsOthers, nameOf, messages } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [text, setText] = useState('')
  const [report, setReport] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [isTextOpen, setTextOpen] = useState(false)
  const matches = isOpen ? matchingSuggestions(suggestions, text, values).slice(0, MAX_SUGGESTIONS) : []
  const shown = values.length >= MANY ? values.slice(0, SHOWN_OF_MANY) : values
  const errors = [...messages.filter(({ level }) => level !== 'hint').map(({ message }) => message)]

  const put = (next: readonly unknown[]) => {
    onChange(next)
    setText('')
    setActive(-1)
    setProblem(undefined)
    setOpen(false)
  }
  const addSuggestion = ({ value }: Suggestion) => {
    put(values.includes(value) ? values : [...values, value])
    setReport(undefined)
  }
  /** Adds typed or pasted text. What is not a value stays in the input. */
  const add = (typed: string) => {
    if (typed.trim() === '') return
    const named = findSuggestion(suggestions, typed)
    if (named) return addSuggestion(named)
    const parsed = parseValues(translateNames(typed, suggestions), valueType, values)
    const refused = allowsOthers ? [] : unlistedValues(parsed.values.slice(values.length), suggestions)
    if (refused.length > 0) return setProblem(`“${refused[0]}” is not in the list`)
    const pieces = parsed.added + parsed.duplicates.length + parsed.invalid.length + parsed.overLimit.length
    setReport(pieces > 1 ? parsed.report : undefined)
    if (parsed.added > 0) onChange(parsed.values)
    setText(parsed.invalid.map((piece) => piece.text).join(', '))
    setProblem(parsed.invalid[0]?.message ?? (pieces === 1 && parsed.added === 0 ? 'is there already' : undefined))
    setActive(-1)
  }
  const remove = (index: number) => {
    onChange(values.filter((_, position) => position !== index))
    const buttons = list.current?.querySelectorAll('button')
    const neighbour = buttons?.[index + 1] ?? buttons?.[index - 1]
    if (neighbour) neighbour.focus()
    else input.current?.focus()
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const { key } = event
    if ((key === 'ArrowDown' || key === 'ArrowUp') && suggestions.length > 0) {
      event.preventDefault()
      setOpen(true)
      const step = key === 'ArrowDown' ? 1 : -1
      setActive((active + step + matches.length + (active < 0 && step < 0 ? 1 : 0)) % Math.max(1, matches.length))
    } else if (key === 'Escape' && isOpen && matches.length > 0) {
      event.stopPropagation()
      setOpen(false)
    } else if (key === 'Enter' || (key === ',' && valueType !== 'audience')) {
      event.preventDefault()
      const chosen = matches[active] ?? (allowsOthers || text === '' ? undefined : matches[0])
      if (chosen) addSuggestion(chosen)
      else add(text)
    } else if (key === 'Backspace' && text === '') {
      const buttons = list.current?.querySelectorAll('button')
      buttons?.[buttons.length - 1]?.focus()
    }
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in a row of controls would need a visible legend.
    <div role="group" aria-label={label} className={styles.field}>
      <div className={`${styles.box} ${errors.length > 0 || problem ? styles.invalid : ''}`}>
        {values.length > 0 && (
          <ul ref={list} className={styles.chips} aria-label={`${label}: ${values.length}`}>
            {shown.map((value, index) => (
              <Chip
                key={`${typeof value} ${value}`}
                name={nameOf(value)}
                value={value}
                isWrong={messages.some((message) => message.index === index && message.level !== 'hint')}
                onRemove={() => remove(index)}
              />
            ))}
          </ul>
        )}
        <input
          ref={input}
          id={id}
          role="combobox"
          aria-label={`Add to ${label.toLowerCase()}`}
          aria-expanded={matches.length > 0}
          aria-controls={matches.length > 0 ? `${id}-list` : undefined}
          aria-activedescendant={matches[active] ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          aria-invalid={errors.length > 0 || problem !== undefined || undefined}
          aria-describedby={`${id}-messages`}
          className={styles.input}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholders[valueType]}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setProblem(undefined)
            setOpen(true)
            setActive(-1)
          }}
          onFocus={() => setOpen(suggestions.length > 0)}
          onBlur={() => {
            setOpen(false)
            add(text)
          }}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text')
            if (!/[\r\n\t,;]/.test(pasted)) return
            event.preventDefault()
            add(text + pasted)
          }}
        />
        {matches.length > 0 && (
          <SuggestionList id={id} suggestions={matches} active={active} onChoose={addSuggestion} onHover={setActive} />
        )}
      </div>
      <div id={`${id}-messages`} className={styles.messages}>
        {problem && <p className={styles.error}>{problem}</p>}
        {distinct(messages).map(({ level, message }) => (
          <p key={message} className={styles[level]}>
            {message}
          </p>
        ))}
      </div>
      <ListTools
        {...props}
        hidden={values.length - shown.length}
        report={report}
        onEdit={() => setTextOpen(true)}
        hasSpaces={messages.some(({ message }) => message.endsWith('with a space'))}
      />
      {isTextOpen && <ValueTextDialog {...props} onClose={() => setTextOpen(false)} />}
    </div>
  )
}

const placeholders: Record<ValueType, string> = {
  none: '',
  text: 'add a value',
  country: 'add a country',
  version: 'add a version, as in 1.2.3',
  number: 'add a number',
  boolean: '',
  audience: 'add an audience'
}

interface ToolsProps extends Props {
  readonly hidden: number
  readonly report: string | undefined
  readonly hasSpaces: boolean
  readonly onEdit: () => void
}

function ListTools({ values, valueType, onChange, hidden, report, hasSpaces, onEdit }: ToolsProps) {
  return (
    <div className={styles.tools}>
      <span role="status">{report}</span>
      {hidden > 0 && <span>and {hidden.toLocaleString('en')} more</span>}
      {hasSpaces && (
        <button type="button" className={styles.tool} onClick={() => onChange([...new Set(values.map(trimValue))])}>
          Trim spaces
        </button>
      )}
      {values.length > 1 && valueType !== 'audience' && (
        <button type="button" className={styles.tool} onClick={onEdit}>
          Edit as text
        </button>
      )}
    </div>
  )
}

/** At most three messages, each once: 10,000 values can all be wrong. */
function distinct(messages: readonly ConditionMessage[]): readonly ConditionMessage[] {
  return [...new Map(messages.map((message) => [message.message, message])).values()].slice(0, 3)
}

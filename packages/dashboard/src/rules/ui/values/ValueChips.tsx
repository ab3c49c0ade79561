import { useId, useRef, useState } from 'react'
import type { ConditionMessage } from '../../conditionMessages.ts'
import { trimValue } from '../../conditions.ts'
import type { ValueType } from '../../properties.ts'
import { Chip } from './Chip.tsx'
import styles from './Chips.module.css'
import { SuggestionList } from './SuggestionList.tsx'
import type { Suggestion } from './suggestions.ts'
import { useValueInput } from './useValueInput.ts'
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

/** A list of values, each with a button that removes it, and an input that adds to it. */
export function ValueChips(props: Props) {
  const { label, valueType, values, onChange, suggestions = [], allowsOthers, nameOf, messages } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const typing = useValueInput({ valueType, values, onChange, suggestions, allowsOthers, list })
  const { matches, active, problem } = typing
  const [isTextOpen, setTextOpen] = useState(false)
  const shown = values.length >= MANY ? values.slice(0, SHOWN_OF_MANY) : values
  const isInvalid = problem !== undefined || messages.some(({ level }) => level !== 'hint')

  const remove = (index: number) => {
    onChange(values.filter((_, position) => position !== index))
    const buttons = list.current?.querySelectorAll('button')
    const neighbour = buttons?.[index + 1] ?? buttons?.[index - 1]
    if (neighbour) neighbour.focus()
    else input.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in a row of controls would need a visible legend.
    <div role="group" aria-label={label} className={styles.field}>
      <div className={`${styles.box} ${isInvalid ? styles.invalid : ''}`}>
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
          aria-invalid={isInvalid || undefined}
          aria-describedby={`${id}-messages`}
          className={styles.input}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholders[valueType]}
          {...typing.inputProps}
        />
        {matches.length > 0 && (
          <SuggestionList
            id={id}
            suggestions={matches}
            active={active}
            onChoose={typing.addSuggestion}
            onHover={typing.setActive}
          />
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
        report={typing.report}
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
  version: 'add a version, such as 1.2.3',
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

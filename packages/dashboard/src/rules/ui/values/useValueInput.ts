import { type ClipboardEvent, type KeyboardEvent, type RefObject, useState } from 'react'
import type { ValueType } from '../../properties.ts'
import { parseValues } from '../../valueList.ts'
import { findSuggestion, matchingSuggestions, type Suggestion, translateNames, unlistedValues } from './suggestions.ts'

const MAX_SUGGESTIONS = 8

interface Options {
  readonly valueType: ValueType
  readonly values: readonly unknown[]
  readonly onChange: (values: readonly unknown[]) => void
  readonly suggestions: readonly Suggestion[]
  /** Whether values besides the suggestions can be typed. */
  readonly allowsOthers: boolean
  /** The chips before the input. */
  readonly list: RefObject<HTMLElement | null>
}

/** The state of the input that adds values to a list: its text, suggestions, problem, and a report of what was pasted. */
export function useValueInput({ valueType, values, onChange, suggestions, allowsOthers, list }: Options) {
  const [text, setText] = useState('')
  const [report, setReport] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const matches = isOpen ? matchingSuggestions(suggestions, text, values).slice(0, MAX_SUGGESTIONS) : []
  const addSuggestion = ({ value }: Suggestion) => {
    onChange(values.includes(value) ? values : [...values, value])
    setText('')
    setActive(-1)
    setProblem(undefined)
    setOpen(false)
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
    setProblem(
      parsed.invalid[0]?.message ?? (pieces === 1 && parsed.added === 0 ? 'is already in the list' : undefined)
    )
    setActive(-1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
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
  const inputProps = {
    value: text,
    onChange: ({ target }: { readonly target: HTMLInputElement }) => {
      setText(target.value)
      setProblem(undefined)
      setOpen(true)
      setActive(-1)
    },
    onFocus: () => setOpen(suggestions.length > 0),
    onBlur: () => {
      setOpen(false)
      add(text)
    },
    onKeyDown,
    onPaste: (event: ClipboardEvent) => {
      const pasted = event.clipboardData.getData('text')
      if (!/[\r\n\t,;]/.test(pasted)) return
      event.preventDefault()
      add(text + pasted)
    }
  }
  return { inputProps, matches, active, setActive, addSuggestion, report, problem }
}

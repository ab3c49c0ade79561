import styles from './Chips.module.css'
import type { Suggestion } from './suggestions.ts'

interface Props {
  /** The id of the input. */
  readonly id: string
  readonly suggestions: readonly Suggestion[]
  readonly active: number
  readonly onChoose: (suggestion: Suggestion) => void
  readonly onHover: (index: number) => void
}

/** What can be added, below the input of a list of values. */
export function SuggestionList({ id, suggestions, active, onChoose, onHover }: Props) {
  return (
    <div id={`${id}-list`} role="listbox" aria-label="Suggestions" className={styles.suggestions} tabIndex={-1}>
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the input keeps the focus and handles the keys.
        <div
          key={suggestion.value}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={styles.suggestion}
          onPointerDown={(event) => event.preventDefault()}
          onPointerEnter={() => onHover(index)}
          onClick={() => onChoose(suggestion)}
        >
          <bdi>{suggestion.label}</bdi>
          {suggestion.detail && suggestion.detail !== suggestion.label && <small>{suggestion.detail}</small>}
        </div>
      ))}
    </div>
  )
}

/** A value that the list below the input offers. */
export interface Suggestion {
  readonly value: string | number
  readonly label: string
  /** The key or code, which can be typed too. */
  readonly detail?: string
}

/** Returns the suggestions that are not among the values and contain a text: exact matches first, then those that begin with it. */
export function matchingSuggestions(
  suggestions: readonly Suggestion[],
  text: string,
  values: readonly unknown[]
): readonly Suggestion[] {
  const wanted = text.trim().toLowerCase()
  const left = suggestions.filter(({ value }) => !values.includes(value))
  if (wanted === '') return left
  const isAt = (suggestion: Suggestion) => suggestion.label.toLowerCase().startsWith(wanted)
  const found = left.filter(
    ({ label, detail = '' }) => label.toLowerCase().includes(wanted) || detail.toLowerCase().startsWith(wanted)
  )
  const exact = (suggestion: Suggestion) => suggestion.detail?.toLowerCase() === wanted
  return [...found].sort(
    (one, other) => Number(exact(other)) - Number(exact(one)) || Number(isAt(other)) - Number(isAt(one))
  )
}

/** Returns the suggestion with this value, label or detail. */
export function findSuggestion(suggestions: readonly Suggestion[], text: string): Suggestion | undefined {
  const wanted = text.trim().toLowerCase()
  return suggestions.find(({ value, label, detail = '' }) =>
    [String(value), label, detail].some((name) => name.toLowerCase() === wanted)
  )
}

/** Replaces the names of suggestions in pasted text by their values, for example `Canada, France`. */
export function translateNames(text: string, suggestions: readonly Suggestion[]): string {
  if (suggestions.length === 0) return text
  return text.replace(/[^\r\n\t,;]+/g, (piece) => String(findSuggestion(suggestions, piece)?.value ?? piece))
}

/** Returns the values that are not among the suggestions. */
export function unlistedValues(values: readonly unknown[], suggestions: readonly Suggestion[]): readonly unknown[] {
  return values.filter((value) => !suggestions.some((suggestion) => suggestion.value === value))
}

/** Returns a type of changes in words: `modifiedTarget` is `modified target`. */
export function changeWords(type: string): string {
  return type.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** Returns the types of changes in words, each once. */
export function changesWords(changes: readonly { readonly type: string }[]): string {
  return [...new Set(changes.map(({ type }) => changeWords(type)))].join(', ')
}

/** Formats a date to the minute, in UTC: `2026-03-01 12:00`. */
export function formatMinute(date: string): string {
  return date.slice(0, 16).replace('T', ' ')
}

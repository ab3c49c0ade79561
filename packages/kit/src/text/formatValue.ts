/** The longest excerpt of a value, in characters. */
const MAX_LENGTH = 80

/** Formats a value for a message: as JSON, truncated. `undefined` is `nothing`. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

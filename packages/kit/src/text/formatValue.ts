/** The longest excerpt of a value, in characters. */
const MAX_LENGTH = 80

/** Formats a value for a message: as JSON where it has a JSON form, truncated. `undefined` is `nothing`. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  // JSON has no form of `NaN`, and `JSON.stringify` throws for other types.
  const text = ['object', 'string'].includes(typeof value) ? JSON.stringify(value) : String(value)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

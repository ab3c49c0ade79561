/** The longest piece of a value that a message repeats. */
const MAX_LENGTH = 80

/** A value as messages repeat it: as JSON, and cut where it goes on for long. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

/** The longest piece of a value that a message repeats. */
const SHOWN = 80

/** A value as messages repeat it: as JSON, and cut where it goes on for long. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

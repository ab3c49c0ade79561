import { formatValue } from './formatValue.ts'

/** The number of choices that a message lists. */
const MAX_LISTED = 10

/** Formats the allowed values: `should be one of "a", "b" and 3 more`. */
export function formatChoices(choices: readonly unknown[]): string {
  const more = choices.length > MAX_LISTED ? ` and ${choices.length - MAX_LISTED} more` : ''
  return `should be one of ${choices
    .slice(0, MAX_LISTED)
    .map((value) => formatValue(value))
    .join(', ')}${more}`
}

import { formatValue } from './formatValue.ts'

/** How many choices a message names. */
const MAX_LISTED = 10

/** Says which values are allowed: `should be one of "a", "b" and 3 more`. */
export function formatChoices(choices: readonly unknown[]): string {
  const more = choices.length > MAX_LISTED ? ` and ${choices.length - MAX_LISTED} more` : ''
  return `should be one of ${choices
    .slice(0, MAX_LISTED)
    .map((value) => formatValue(value))
    .join(', ')}${more}`
}

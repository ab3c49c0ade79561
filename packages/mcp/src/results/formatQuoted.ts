import { escapeInvisibleCharacters } from '@burgee/kit/text'

/** The longest text that is quoted in full. */
const MAX_TEXT = 200

/**
 * Quotes user-supplied text for a sentence: as JSON, truncated, with invisible characters escaped. This prevents it from
 * imitating the sentence around it.
 */
export function formatQuoted(text: string): string {
  return escapeInvisibleCharacters(JSON.stringify(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text))
}

/** The maximum number of names that a sentence lists. */
export const MAX_NAMES = 20

/** Formats names as a list: `"a", "b" and 3 more`. */
export function formatQuotedList(names: readonly string[]): string {
  const listed = names.slice(0, MAX_NAMES).map(formatQuoted).join(', ')
  return names.length > MAX_NAMES ? `${listed} and ${names.length - MAX_NAMES} more` : listed
}

/** Formats a user-supplied value as JSON, truncated, with invisible characters escaped. */
export function formatJson(value: unknown): string {
  const json = JSON.stringify(value) ?? ''
  return escapeInvisibleCharacters(
    json.length > MAX_TEXT ? `${json.slice(0, MAX_TEXT)}… (${json.length - MAX_TEXT} more characters)` : json
  )
}

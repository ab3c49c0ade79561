/**
 * Returns a display name that fits the schema, empty if nothing is left. Members see the names of all people, but not
 * their addresses: of an e-mail address, only the part before the "@" remains.
 */
export function toDisplayName(text: string): string {
  const name = text
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .replace(/[\p{Cc}\p{Surrogate}]/gu, '')
    .trim()
  return /^([^\s@]+)@[^\s@]+$/.exec(name)?.[1] ?? name
}

const MAX_NAME_LENGTH = 100

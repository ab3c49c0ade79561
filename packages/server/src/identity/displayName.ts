import { isSingleLine } from '@burgee/contract/schemas'

/**
 * Returns a display name that fits the schema, empty if nothing is left. Members see the names of all people, but not
 * their addresses: of an e-mail address, only the part before the "@" remains.
 */
export function toDisplayName(text: string): string {
  const characters = [...text.trim().slice(0, MAX_NAME_LENGTH)]
  const name = characters
    .filter((character) => isSingleLine(character) && !/\p{Surrogate}/u.test(character))
    .join('')
    .trim()
  return /^([^\s@]+)@[^\s@]+$/.exec(name)?.[1] ?? name
}

const MAX_NAME_LENGTH = 100

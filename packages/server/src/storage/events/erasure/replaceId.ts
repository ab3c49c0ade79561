import { isRecord } from '@burgee/kit'
import { OTHER_PLATFORM, UNKNOWN_PLATFORM } from '../eventEntry.ts'

/** An id, and the text that takes its place. */
export interface IdReplacement {
  readonly user_id: string
  readonly replacement: string
}

/** Returns a text in which the replacement takes the place of the id, if it is the id or contains it. */
export function replaceContainedId(text: string, { user_id, replacement }: IdReplacement): string {
  if (text === user_id) return replacement
  // Replacing half of a surrogate pair would make the text longer.
  if (!text.includes(user_id) || /\p{Cs}/u.test(user_id)) return text
  // Short ids are parts of ordinary words, and count only if no letter or digit is next to them.
  if (user_id.length >= MIN_CONTAINED_LENGTH) return text.replaceAll(user_id, () => replacement)
  const escaped = user_id.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'gu'), () => replacement)
}

/** Returns the platform of counts without the id. The names that the server itself gives are kept. */
export function replacePlatform(platform: string, id: IdReplacement): string {
  return platform === OTHER_PLATFORM || platform === UNKNOWN_PLATFORM ? platform : replaceContainedId(platform, id)
}

/** The length from which ids are replaced in any text that contains them. */
export const MIN_CONTAINED_LENGTH = 6

/**
 * Returns JSON in which the replacement takes the place of strings and names of members that are the id. Returns the
 * same object if there are none.
 */
export function replaceExactId<T>(value: T, id: IdReplacement): T {
  // The result has the type of the value: strings become strings, and members keep theirs.
  return replaceIn(value, id) as T
}

function replaceIn(value: unknown, id: IdReplacement): unknown {
  if (typeof value === 'string') return value === id.user_id ? id.replacement : value
  if (Array.isArray(value)) {
    const items = value.map((item) => replaceIn(item, id))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isRecord(value)) return value
  const members = Object.entries(value)
  const replaced = members.map(([name, member]) => [name === id.user_id ? id.replacement : name, replaceIn(member, id)])
  const isChanged = replaced.some(([name, member], index) => {
    return name !== members[index]?.[0] || member !== members[index]?.[1]
  })
  return isChanged ? Object.fromEntries(replaced) : value
}

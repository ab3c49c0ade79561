import { RESERVED_KEYS } from '@burgee/contract/schemas'

/** The maximum nesting depth of stored JSON: a deeper value would make every later write of the store fail. */
export const MAX_JSON_DEPTH = 32

/** Databases reject NUL, and a lone surrogate cannot be encoded. */
const unstorableCharacters = /[\0\p{Surrogate}]/u

/**
 * Returns why a JSON value cannot be stored: the part and its problem; `undefined` if it can be stored.
 * @param rootName The name of the value in messages.
 */
export function validateStorableJson(root: unknown, rootName: string): string | undefined {
  const open: [name: string, value: unknown][] = [[rootName, root]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [name, value] = next
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
      return `${name} should be a number up to ${Number.MAX_VALUE}, got one beyond`
    }
    if (typeof value === 'string' && unstorableCharacters.test(value)) return brokenText(name, value)
    if (typeof value !== 'object' || value === null) continue
    for (const [member, inner] of Object.entries(value)) {
      if (RESERVED_KEYS.includes(member)) {
        return `${rootName} has a member named "${member}", which is not allowed`
      }
      if (unstorableCharacters.test(member)) return brokenText('the name of a member', member)
      open.push([Array.isArray(value) ? name : member, inner])
    }
  }
  return undefined
}

function brokenText(name: string, text: string): string {
  return `${name} should have neither NUL nor half a surrogate pair, got ${JSON.stringify(text).slice(0, 80)}`
}

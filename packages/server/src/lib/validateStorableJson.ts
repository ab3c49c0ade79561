import { RESERVED_KEYS } from '@burgee/contract/schemas'

/** The deepest nesting that is kept: one deep value would make every later write of the store fail. */
export const MAX_JSON_DEPTH = 32

/** What no text can have: databases refuse NUL, and half a surrogate pair is no character in any encoding. */
const unstorableCharacters = /[\0\p{Surrogate}]/u

/**
 * What JSON can spell in a value but nothing can keep: which part, and what is wrong with it. Undefined where there is
 * nothing of the kind. `rootName` is what messages call the value.
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

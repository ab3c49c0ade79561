import { RESERVED_KEYS } from '@burgee/contract/schemas'
import { isSecretName } from '@burgee/kit/text'

/** The maximum nesting depth of stored JSON: a deeper value would make every later write of the store fail. */
export const MAX_JSON_DEPTH = 32

/** Whether a store can contain a text. */
export function isStorableText(text: string): boolean {
  return !unstorableCharacters.test(text)
}

/** Databases reject NUL, and a lone surrogate cannot be encoded. */
const unstorableCharacters = /[\0\p{Surrogate}]/u

/**
 * Returns why a JSON value cannot be stored: the part and its problem; `undefined` if it can be stored.
 * @param rootName The name of the value in messages.
 */
export function validateStorableJson(root: unknown, rootName: string): string | undefined {
  return isStorable(root, 1) ? undefined : findProblem(root, rootName)
}

/** Whether a JSON value can be stored, as far as its depth is allowed. Several times as fast as `findProblem`. */
function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !unstorableCharacters.test(value)
  if (typeof value === 'number') return Math.abs(value) !== Number.POSITIVE_INFINITY
  if (typeof value !== 'object' || value === null) return true
  if (depth > MAX_JSON_DEPTH) return false
  if (Array.isArray(value)) return value.every((item) => isStorable(item, depth + 1))
  // Entries would be an array for each member. Values that were parsed inherit no members.
  for (const member in value) {
    if (RESERVED_KEYS.includes(member) || unstorableCharacters.test(member)) return false
    if (!isStorable((value as Readonly<Record<string, unknown>>)[member], depth + 1)) return false
  }
  return true
}

function findProblem(root: unknown, rootName: string): string | undefined {
  const open: [name: string, value: unknown, isHidden: boolean][] = [[rootName, root, false]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [name, value, isHidden] = next
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
      return `${name} should be a number up to ${Number.MAX_VALUE}, got one beyond`
    }
    if (typeof value === 'string' && !isStorableText(value)) return brokenText(name, value, isHidden)
    if (typeof value !== 'object' || value === null) continue
    for (const [member, inner] of Object.entries(value)) {
      if (RESERVED_KEYS.includes(member)) {
        return `${rootName} has a member named "${member}", which is not allowed`
      }
      if (!isStorableText(member)) return brokenText('the name of a member', member, isHidden)
      open.push([Array.isArray(value) ? name : member, inner, isHidden || isSecretName(member)])
    }
  }
  return undefined
}

function brokenText(name: string, text: string, isHidden: boolean): string {
  const given = isHidden ? 'a text that is not shown' : JSON.stringify(text).slice(0, 80)
  return `${name} should have neither NUL nor half a surrogate pair, got ${given}`
}

import { isRecord } from '../isRecord.ts'
import type { User } from '../types/user.ts'
import { isScalar } from './isScalar.ts'

/** The longest targeting key that is accepted, in UTF-16 code units. */
const MAX_TARGETING_KEY = 200

/** A user read from an OpenFeature evaluation context, and what is wrong with its targeting key, if anything. */
export interface ContextUser {
  /** Without a `user_id` when the context names none; then only rules that need one cannot be decided. */
  readonly user: User
  readonly error?: { readonly code: 'TARGETING_KEY_MISSING' | 'INVALID_CONTEXT'; readonly message: string }
}

/**
 * Reads an evaluation context as a user (`evaluation.md` §9.1). The id is the first of `targetingKey`, `user_id` and
 * `userId` that says something; known members keep their place, every other flat member becomes custom data.
 */
export function toUser(context: unknown): ContextUser {
  const members = isRecord(context) ? context : {}
  const { id, error } = readTargetingKey(members)
  const user: Record<string, unknown> = id === undefined ? {} : { user_id: id }
  const customData: Record<string, unknown> = {}
  for (const [member, value] of Object.entries(members)) {
    if (targetingKeys.includes(member)) continue
    if (Object.hasOwn(known, member)) {
      if (known[member]?.(value)) user[member] = value
    } else if (member === 'customData') {
      for (const [inner, scalar] of Object.entries(flat(value))) define(customData, inner, scalar)
    } else if (member === 'privateCustomData') {
      const data = flat(value)
      if (Object.keys(data).length > 0) user.privateCustomData = data
    } else if (value === null || isScalar(value)) define(customData, member, value)
  }
  if (Object.keys(customData).length > 0) user.customData = customData
  // Built above from members of the right types; without a user_id it is still one that every evaluation accepts.
  return { user: user as unknown as User, ...(error ? { error } : {}) }
}

/** The members that can hold the targeting key, the most telling first. */
const targetingKeys = ['targetingKey', 'user_id', 'userId']

/** The members of a context that are members of a user, and what they must be to count. */
const known: Readonly<Record<string, (value: unknown) => boolean>> = {
  email: isString,
  name: isString,
  language: isString,
  country: isString,
  appVersion: isString,
  appBuild: Number.isFinite
}

function readTargetingKey(members: Record<string, unknown>): { id?: string; error?: ContextUser['error'] } {
  const member = targetingKeys.find((name) => Object.hasOwn(members, name) && members[name])
  if (member === undefined) {
    const message = 'the evaluation context has no targetingKey, user_id or userId'
    return { error: { code: 'TARGETING_KEY_MISSING', message } }
  }
  const value = members[member]
  if (typeof value !== 'string') {
    const message = `${member} should be a string, got ${shown(value)}`
    return { error: { code: 'TARGETING_KEY_MISSING', message } }
  }
  if (value.length > MAX_TARGETING_KEY) {
    const message = `${member} should have at most ${MAX_TARGETING_KEY} characters, got ${value.length}`
    return { error: { code: 'INVALID_CONTEXT', message } }
  }
  return { id: value }
}

/** A value in a message: as JSON, or what type it is of where there is no JSON for it. */
function shown(value: unknown): string {
  try {
    return JSON.stringify(value)?.slice(0, 60) ?? typeof value
  } catch {
    return typeof value
  }
}

/** The scalar members of an object; a list counts by its indexes. */
function flat(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => isScalar(inner)))
}

/** Sets a member that may have any name, `__proto__` included, and keeps the place of one that is there. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}

function isString(value: unknown): boolean {
  return typeof value === 'string'
}

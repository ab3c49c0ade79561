import { isRecord, isScalar, isString } from '../json/typeGuards.ts'
import type { User } from '../types/user.ts'

/** The maximum length of a targeting key in UTF-16 code units. */
const MAX_TARGETING_KEY = 200

/** The user of an OpenFeature evaluation context, and what is wrong with the targeting key, if anything. */
export interface ContextUser {
  /** Has no `user_id` if the context has no valid targeting key. Rules that do not need one still apply. */
  readonly user: User
  readonly error?: { readonly code: 'TARGETING_KEY_MISSING' | 'INVALID_CONTEXT'; readonly message: string }
}

/**
 * Converts an evaluation context to a user. The id is the first non-empty one of `targetingKey`, `user_id` and
 * `userId`. Known properties are copied; all other scalar properties become custom data. `userHash`, the signature of the
 * user, is left out, including from private custom data.
 */
export function toUser(context: unknown): ContextUser {
  const properties = isRecord(context) ? context : {}
  const { id, error } = readTargetingKey(properties)
  const user: Record<string, unknown> = id === undefined ? {} : { user_id: id }
  const customData: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(properties)) {
    if (targetingKeys.includes(name) || name === USER_HASH) continue
    if (Object.hasOwn(userProperties, name)) {
      if (userProperties[name]?.(value)) user[name] = value
    } else if (name === 'customData') {
      for (const [attribute, scalar] of Object.entries(scalarProperties(value))) define(customData, attribute, scalar)
    } else if (name === 'privateCustomData') {
      const { [USER_HASH]: _signature, ...data } = scalarProperties(value)
      if (Object.keys(data).length > 0) user.privateCustomData = data
    } else if (value === null || isScalar(value)) define(customData, name, value)
  }
  if (Object.keys(customData).length > 0) user.customData = customData
  // Every property set above has the right type. Evaluation accepts a user without a `user_id`.
  return { user: user as unknown as User, ...(error ? { error } : {}) }
}

/** The property with the signature of the user, which is not an attribute. */
const USER_HASH = 'userHash'

/** The properties that can hold the targeting key, in order of precedence. */
const targetingKeys = ['targetingKey', 'user_id', 'userId']

/** Whether a value leaves the targeting key out. OFREP has no `null` for `targetingKey`; the other names are attributes. */
function isEmpty(name: string, value: unknown): boolean {
  return value === undefined || value === '' || (value === null && name !== 'targetingKey')
}

/** The properties of a context that are properties of a user, with the check that a value must pass. */
const userProperties: Readonly<Record<string, (value: unknown) => boolean>> = {
  email: isString,
  name: isString,
  language: isString,
  country: isString,
  appVersion: isString,
  appBuild: Number.isFinite
}

function readTargetingKey(properties: Record<string, unknown>): { id?: string; error?: ContextUser['error'] } {
  const isGiven = (name: string) => Object.hasOwn(properties, name) && !isEmpty(name, properties[name])
  const name = targetingKeys.find(isGiven)
  if (name === undefined) {
    const message = 'the evaluation context has no targetingKey, user_id or userId'
    return { error: { code: 'TARGETING_KEY_MISSING', message } }
  }
  const value = properties[name]
  if (typeof value !== 'string') {
    const message = `${name} should be a string, got ${describe(value)}`
    return { error: { code: 'INVALID_CONTEXT', message } }
  }
  if (value.length > MAX_TARGETING_KEY) {
    const message = `${name} should have at most ${MAX_TARGETING_KEY} characters, got ${value.length}`
    return { error: { code: 'INVALID_CONTEXT', message } }
  }
  return { id: value }
}

/** Returns a value as JSON for a message, or its type if it has no JSON form. */
function describe(value: unknown): string {
  try {
    return JSON.stringify(value)?.slice(0, 60) ?? typeof value
  } catch {
    return typeof value
  }
}

/** Returns the scalar properties of an object. The indexes of an array count as properties. */
function scalarProperties(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => isScalar(inner)))
}

/** Sets a property of any name, including `__proto__`. An existing property keeps its position. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  // The assignment is ten times as fast, but `__proto__` would change the prototype.
  if (name !== '__proto__') target[name] = value
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}

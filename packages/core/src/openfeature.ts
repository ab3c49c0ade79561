import type { EvaluateOptions, Evaluator, PreparedVariable } from './evaluator.ts'
import { fingerprint } from './fingerprint.ts'
import { isObject } from './isObject.ts'
import { isStatic } from './static.ts'
import type { EvalReason } from './types/evalReason.ts'
import type { Problem } from './types/problem.ts'
import type { Resolution } from './types/resolution.ts'
import type { User } from './types/user.ts'
import type { Json, Metadata, Variable } from './types/variable.ts'

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
  const members = isObject(context) ? context : {}
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
  appBuild: (value) => typeof value === 'number'
}

function readTargetingKey(members: Record<string, unknown>): { id?: string; error?: ContextUser['error'] } {
  const member = targetingKeys.find((name) => Object.hasOwn(members, name) && members[name])
  if (member === undefined) {
    const message = 'the evaluation context has no targetingKey, user_id or userId'
    return { error: { code: 'TARGETING_KEY_MISSING', message } }
  }
  const value = members[member]
  if (typeof value !== 'string') {
    const message = `${member} should be a string, got ${JSON.stringify(value)?.slice(0, 60)}`
    return { error: { code: 'TARGETING_KEY_MISSING', message } }
  }
  if (value.length > MAX_TARGETING_KEY) {
    const message = `${member} should have at most ${MAX_TARGETING_KEY} characters, got ${value.length}`
    return { error: { code: 'INVALID_CONTEXT', message } }
  }
  return { id: value }
}

/** The scalar members of an object; a list counts by its indexes. */
function flat(value: unknown): Record<string, unknown> {
  if (!isObject(value)) return {}
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => isScalar(inner)))
}

/** Sets a member that may have any name, `__proto__` included, and keeps the place of one that is there. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}

function isString(value: unknown): boolean {
  return typeof value === 'string'
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** OFREP's answer for one flag. A success without `value` tells the application to use its own default. */
export type OfrepFlag = OfrepSuccess | OfrepFailure

/** A flag that was evaluated. */
export interface OfrepSuccess {
  readonly key: string
  readonly reason: string
  readonly value?: Json
  readonly variant?: string
  readonly metadata?: Metadata
}

/** A flag that could not be evaluated. */
export interface OfrepFailure {
  readonly key: string
  readonly errorCode: 'FLAG_NOT_FOUND' | 'TARGETING_KEY_MISSING' | 'PARSE_ERROR'
  readonly errorDetails: string
}

/** Evaluates one flag for the user of a context as OFREP answers it. */
export function ofrepFlag(
  evaluator: Evaluator<object>,
  contextUser: ContextUser,
  key: string,
  options?: EvaluateOptions
): OfrepFlag {
  return toOfrepFlag(evaluator, contextUser, key, evaluator.resolve(contextUser.user, key, options))
}

/** What an evaluator resolved, as OFREP answers it: for those who need the resolution too. */
export function toOfrepFlag(
  evaluator: Evaluator<object>,
  { error }: ContextUser,
  key: string,
  resolution: Resolution
): OfrepFlag {
  return toFlag(key, resolution, error, evaluator.prepared.variables.get(key))
}

/** Every flag as OFREP answers it, in order of key, and the ETag of the answer: a quoted text that differs when anything in it does. */
export function ofrepFlags(
  evaluator: Evaluator<object>,
  contextUser: ContextUser,
  options?: EvaluateOptions
): { flags: OfrepFlag[]; etag: string } {
  // One moment for all flags, so that a rollout cannot tick over in the middle of an answer.
  const at = { ...options, now: options?.now ?? Date.now() }
  const resolutions = evaluator.resolveAll(contextUser.user, at)
  const flags = [...evaluator.prepared.variables].map(([key, prepared], index) =>
    toFlag(key, resolutions[index] ?? { status: 'unknown' }, contextUser.error, prepared)
  )
  return { flags, etag: `"${fingerprint(flags)}"` }
}

function toFlag(
  key: string,
  resolution: Resolution,
  error: ContextUser['error'],
  prepared: PreparedVariable | undefined
): OfrepFlag {
  const flag = toOfrep(key, resolution, prepared)
  // What is wrong with the targeting key says more than that the flag needed one.
  const isExplained = error && 'errorCode' in flag && flag.errorCode === 'TARGETING_KEY_MISSING'
  return isExplained ? { ...flag, errorDetails: error.message } : flag
}

function toOfrep(key: string, resolution: Resolution, prepared: PreparedVariable | undefined): OfrepFlag {
  const own = ownMetadata(prepared?.variable)
  switch (resolution.status) {
    case 'served': {
      const { variable, feature } = resolution
      return {
        key,
        reason: toReason(variable.eval, prepared),
        value: variable.value,
        variant: feature.variationKey,
        metadata: { ...own, ...toMetadata(variable._feature, variable.eval) }
      }
    }
    case 'unserved':
    case 'disabled': {
      const reason = resolution.status === 'unserved' ? 'DEFAULT' : 'DISABLED'
      return { key, reason, ...resolution.offValue, ...(own && { metadata: own }) }
    }
    case 'unknown':
      return { key, errorCode: 'FLAG_NOT_FOUND', errorDetails: `flag "${key}" does not exist` }
    case 'failed':
      return { key, ...toFailure(resolution.problem) }
  }
}

/** OpenFeature has a word for what is the same for everybody, and none for an override: to the caller it is a fixed value. */
function toReason({ reason }: EvalReason, prepared: PreparedVariable | undefined): string {
  const isFixed = reason === 'OVERRIDE' || (prepared !== undefined && isStatic(prepared))
  return isFixed ? 'STATIC' : reason
}

/** The variable's own metadata, of which only flat members count. Undefined when there are none. */
function ownMetadata(variable: Variable | undefined): Metadata | undefined {
  const { metadata } = variable ?? {}
  if (!isObject(metadata)) return undefined
  const members = Object.entries(metadata).filter((entry): entry is [string, string | number | boolean] => {
    return isScalar(entry[1]) && !engines.includes(entry[0])
  })
  return members.length > 0 ? Object.fromEntries(members) : undefined
}

/** The names in metadata by which the engine says where a value comes from. */
const engines: readonly string[] = ['_feature', 'evalReasonDetails', 'evalReasonTargetId']

function toMetadata(feature: string, { details, target_id }: EvalReason): Record<string, string> {
  return {
    _feature: feature,
    ...(details ? { evalReasonDetails: details } : {}),
    ...(target_id ? { evalReasonTargetId: target_id } : {})
  }
}

function toFailure({ code, message }: Problem): Pick<OfrepFailure, 'errorCode' | 'errorDetails'> {
  return { errorCode: code === 'MISSING_USER_ID' ? 'TARGETING_KEY_MISSING' : 'PARSE_ERROR', errorDetails: message }
}

import type { EvaluateOptions, Evaluator } from './evaluator.ts'
import type { ContextUser } from './openfeature/contextUser.ts'
import { FlagResponse, type OfrepFlag, toResponse } from './openfeature/ofrepFlag.ts'
import type { Resolution } from './types/resolution.ts'

export { type ContextUser, toUser } from './openfeature/contextUser.ts'
export { evaluationMetadata } from './openfeature/metadata.ts'
export type { OfrepFailure, OfrepFlag, OfrepSuccess } from './openfeature/ofrepFlag.ts'

/** Evaluates a flag for the user of an evaluation context and returns OFREP's response for it. */
export function ofrepFlag(
  evaluator: Evaluator<object>,
  contextUser: ContextUser,
  key: string,
  options?: EvaluateOptions
): OfrepFlag {
  return toOfrepFlag(evaluator, contextUser, key, evaluator.resolve(contextUser.user, key, options))
}

/** Returns OFREP's response for a result of `evaluator.resolve`, for callers that need the result too. */
export function toOfrepFlag(
  evaluator: Evaluator<object>,
  contextUser: ContextUser,
  key: string,
  resolution: Resolution
): OfrepFlag {
  return toOfrepResponse(evaluator, contextUser, key, resolution).flag
}

/** Evaluates all flags. Returns OFREP's responses in the order of keys, with a fingerprint that changes with them. */
export function ofrepFlags(
  evaluator: Evaluator<object>,
  contextUser: ContextUser,
  options?: EvaluateOptions
): { flags: OfrepFlag[]; fingerprint: string } {
  const responses = ofrepResponses(evaluator, contextUser, options)
  return { flags: responses.map(({ flag }) => flag), fingerprint: fingerprintOf(responses) }
}

/** Same as `toOfrepFlag`, with the text of the response. */
export function toOfrepResponse(
  evaluator: Evaluator<object>,
  { error }: ContextUser,
  key: string,
  resolution: Resolution
): FlagResponse {
  const { table, variables } = evaluator.prepared
  // An unknown key has no index, or one beyond the end.
  const prepared = variables[table.indexes.get(key) ?? variables.length]
  return withContextError(toResponse(key, resolution, prepared), error)
}

/** Evaluates all flags. Returns the responses in the order of keys, with their texts. */
export function ofrepResponses(
  evaluator: Evaluator<object>,
  contextUser: ContextUser,
  options?: EvaluateOptions
): FlagResponse[] {
  // All flags must be evaluated at the same time.
  const fixed = { ...options, now: options?.now ?? Date.now() }
  const resolutions = evaluator.resolveAll(contextUser.user, fixed)
  const { table, variables } = evaluator.prepared
  return resolutions.map((resolution, at) => {
    const prepared = variables[table.order?.[at] ?? at]
    return withContextError(toResponse(evaluator.keys[at] as string, resolution, prepared), contextUser.error)
  })
}

/** Returns 16 hexadecimal digits that are equal for equal responses in the same order. */
export function fingerprintOf(responses: readonly Pick<FlagResponse, 'hashes'>[]): string {
  let [one, other] = [0, 0]
  for (const { hashes } of responses) {
    one = mix(one, hashes[0])
    other = mix(other, hashes[1])
  }
  return [one, other].map((hash) => (hash >>> 0).toString(16).padStart(8, '0')).join('')
}

/** Adds a hash to a sum of hashes that depends on their order. One different hash always gives a different sum. */
function mix(sum: number, hash: number): number {
  return Math.imul(((sum << 5) | (sum >>> 27)) ^ hash, 0x9e3779b1)
}

/** Replaces the general message about a missing targeting key with the specific one. */
function withContextError(response: FlagResponse, error: ContextUser['error']): FlagResponse {
  const { flag } = response
  const isMissingKey = error && 'errorCode' in flag && flag.errorCode === 'TARGETING_KEY_MISSING'
  return isMissingKey ? new FlagResponse({ ...flag, errorDetails: error.message }) : response
}

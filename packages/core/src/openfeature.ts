import type { EvaluateOptions, Evaluator, PreparedVariable } from './evaluator.ts'
import { fingerprint } from './fingerprint.ts'
import type { ContextUser } from './openfeature/contextUser.ts'
import { type OfrepFlag, toOfrep } from './openfeature/ofrepAnswer.ts'
import type { Resolution } from './types/resolution.ts'

export { type ContextUser, toUser } from './openfeature/contextUser.ts'
export { evaluationMetadata } from './openfeature/metadata.ts'
export type { OfrepFailure, OfrepFlag, OfrepSuccess } from './openfeature/ofrepAnswer.ts'

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

/** Every flag as OFREP answers it, in order of key, and a fingerprint of the answer: a text that differs when anything in it does. */
export function ofrepFlags(
  evaluator: Evaluator<object>,
  contextUser: ContextUser,
  options?: EvaluateOptions
): { flags: OfrepFlag[]; fingerprint: string } {
  // One moment for all flags, so that a rollout cannot tick over in the middle of an answer.
  const at = { ...options, now: options?.now ?? Date.now() }
  const resolutions = evaluator.resolveAll(contextUser.user, at)
  const flags = [...evaluator.prepared.variables].map(([key, prepared], index) =>
    toFlag(key, resolutions[index] ?? { status: 'unknown' }, contextUser.error, prepared)
  )
  return { flags, fingerprint: fingerprint(flags) }
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

import { EvaluationState, toUnvalidated } from './conditions/evaluationState.ts'
import type { EvaluateOptions, Evaluator } from './evaluator.ts'
import type { User } from './types/user.ts'
import type { AnyFlags } from './types/variable.ts'

/** Returns the ids of the audiences of the config that a user is in. */
export function audiencesOf<Flags extends object = AnyFlags>(
  evaluator: Evaluator<Flags>,
  user: User,
  options?: EvaluateOptions
): string[] {
  const { prepared } = evaluator
  const state = new EvaluationState(prepared).reset(options?.now)
  const read = toUnvalidated(user)
  state.enterFeature(NO_FEATURE)
  return [...prepared.audiences].flatMap(([id, { match }]) => (typeof match(state, read) === 'string' ? id : []))
}

/** The scope of filters outside of features: users have opted in to none. */
const NO_FEATURE = { optInId: undefined }

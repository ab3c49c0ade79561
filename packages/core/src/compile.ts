import { Evaluator } from './evaluator.ts'
import { anew, prepareConfig } from './prepare.ts'
import type { Config } from './types/config.ts'
import type { Problem } from './types/problem.ts'
import type { AnyFlags } from './types/variable.ts'

/** What a compiled config reports to. */
export interface CompileOptions {
  /** Called during an evaluation for each feature that could not be decided and was left out. */
  readonly onProblem?: (problem: Problem) => void
}

/**
 * Prepares a config document for evaluation: everything that does not depend on the user is worked out here, once.
 * What the evaluator hands out later are frozen copies; the document itself stays the caller's.
 *
 * `Flags` says which variables there are and what their values are, for typed reads; `burgee-server types` writes it.
 *
 * @throws {ConfigError} when the document is malformed; its `path` names the member.
 * @example
 * const evaluator = compile(config)
 * evaluator.variable({ user_id: 'ada', country: 'GB' }, 'new-checkout')?.value
 */
export function compile<Flags extends object = AnyFlags>(
  config: Config,
  { onProblem }: CompileOptions = {}
): Evaluator<Flags> {
  return new Evaluator(prepareConfig(config, anew, new Map()), onProblem)
}

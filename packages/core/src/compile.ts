import { Evaluator } from './evaluator.ts'
import { anew, prepareConfig } from './prepare.ts'
import type { Config } from './types/config.ts'
import type { Problem } from './types/problem.ts'

/** What a compiled config reports to. */
export interface CompileOptions {
  /** Called during an evaluation for each feature that could not be decided and was left out. */
  readonly onProblem?: (problem: Problem) => void
}

/**
 * Prepares a config document for evaluation: everything that does not depend on the user is worked out here, once.
 * What the evaluator hands out later are frozen copies; the document itself stays the caller's.
 *
 * @throws {ConfigError} when the document is malformed; its `path` names the member.
 * @example
 * const evaluator = compile(config)
 * evaluator.variable({ user_id: 'ada', country: 'GB' }, 'new-checkout')?.value
 */
export function compile(config: Config, { onProblem }: CompileOptions = {}): Evaluator {
  return new Evaluator(prepareConfig(config, anew, new Map()), onProblem)
}

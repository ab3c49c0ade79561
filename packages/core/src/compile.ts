import { Evaluator } from './evaluator.ts'
import { freshPreparation, prepareConfig } from './prepare.ts'
import type { Config } from './types/config.ts'
import type { Problem } from './types/problem.ts'
import type { AnyFlags } from './types/variable.ts'

/** Options of `compile` and `recompile`. */
export interface CompileOptions {
  /** Called synchronously, during an evaluation, for each feature that cannot be evaluated for the user. */
  readonly onProblem?: (problem: Problem) => void
}

/**
 * Compiles a config document into an evaluator. Everything that does not depend on the user is computed here, once.
 * The document is copied where results refer to it, so the caller may change it afterwards.
 *
 * `Flags` maps the keys of variables to the types of their values; `burgee types` generates it.
 *
 * @throws {ConfigError} If the document is malformed. `path` is the position of the invalid value.
 * @example
 * const evaluator = compile(config)
 * evaluator.variable({ user_id: 'ada', country: 'GB' }, 'new-checkout')?.value
 */
export function compile<Flags extends object = AnyFlags>(
  config: Config,
  { onProblem }: CompileOptions = {}
): Evaluator<Flags> {
  return new Evaluator(prepareConfig(config, freshPreparation, new Map()), onProblem)
}

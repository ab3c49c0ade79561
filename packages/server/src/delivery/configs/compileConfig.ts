import { type Config, type Evaluator, type Problem, recompile } from '@burgee/core'
import type { KeyConfig } from './keyConfig.ts'

/** Compiles a config for requests with SDK keys, from the evaluator of the config before it. */
export function compileConfig(
  config: Config,
  previous: Evaluator | undefined,
  onProblem: (problem: Problem) => void
): Pick<KeyConfig, 'config' | 'evaluator'> {
  const reported = { count: 0 }
  const evaluator = recompile(config, previous, {
    onProblem: (problem) => {
      reported.count++
      onProblem(problem)
    }
  })
  problems.set(evaluator, reported)
  return { config, evaluator }
}

const problems = new WeakMap<Evaluator, { readonly count: number }>()

/** Returns how many problems an evaluator has reported. An evaluation that reported one must not be remembered. */
export function problemCountOf(evaluator: Evaluator): number {
  return problems.get(evaluator)?.count ?? 0
}

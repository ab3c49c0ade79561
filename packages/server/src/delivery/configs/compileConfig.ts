import { type Config, type Evaluator, type Problem, recompile } from '@burgee/core'
import type { KeyConfig } from './keyConfig.ts'

/** Compiles a config for requests with SDK keys, based on the evaluator of the previous config. */
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

/** Returns the number of problems that an evaluator has reported. Evaluations that reported one must not be cached. */
export function getProblemCount(evaluator: Evaluator): number {
  return problems.get(evaluator)?.count ?? 0
}

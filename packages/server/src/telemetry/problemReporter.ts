import type { Problem } from '@burgee/core'
import type { ConfigsListener } from '../delivery/configs/configs.ts'
import type { Logger } from '../lib/logger.ts'
import type { ServerMetrics } from './metrics/metrics.ts'

/** Reports a problem in the environment with an id. */
export type ReportProblem = (environment: string, problem: Problem) => void

interface ProblemReporter extends ConfigsListener {
  /** Logs a problem that another process has counted. */
  readonly reportProblem: ReportProblem
}

/** Counts every evaluation problem, and logs each distinct one once. */
export function createProblemReporter(log: Logger, metrics: ServerMetrics): ProblemReporter {
  const reportProblem = reportOnce((environment, { code, feature, target, message }) => {
    log.warn({ environment, code, feature, target }, message)
  })
  return {
    onProblem: countProblems(metrics, reportProblem),
    onError: (environment, error) => {
      log.error({ environment: environment._id, err: error }, 'the config cannot be compiled and was not replaced')
    },
    reportProblem
  }
}

/** Counts every problem, and reports it. */
export function countProblems(metrics: ServerMetrics, report: ReportProblem): ConfigsListener['onProblem'] {
  return (environment, problem) => {
    metrics.problems.inc({ code: problem.code })
    report(environment._id, problem)
  }
}

/** Reports each distinct problem once, because it recurs with every request. */
export function reportOnce(report: ReportProblem): ReportProblem {
  const seen = new Set<string>()
  return (environment, problem) => {
    const { code, feature, target } = problem
    const kind = [environment, code, feature, target].join(' ')
    if (seen.has(kind)) return
    seen.add(kind)
    report(environment, problem)
  }
}

import type { ConfigsListener } from '../delivery/configs/configs.ts'
import type { Logger } from '../lib/logger.ts'
import type { ServerMetrics } from './metrics/metrics.ts'

/** Counts every evaluation problem, and logs each distinct one once, because it recurs with every request. */
export function createProblemReporter(log: Logger, metrics: ServerMetrics): ConfigsListener {
  const seen = new Set<string>()
  return {
    onProblem: (environment, { code, feature, target, message }) => {
      metrics.problems.inc({ code })
      const kind = [environment._id, code, feature, target].join(' ')
      if (seen.has(kind)) return
      seen.add(kind)
      log.warn({ environment: environment._id, code, feature, target }, message)
    },
    onError: (environment, error) => {
      log.error({ environment: environment._id, err: error }, 'the config cannot be compiled and was not replaced')
    }
  }
}

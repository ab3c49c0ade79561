import type { Metric, MetricResult } from '@burgee/contract/schemas'
import { formatCount, formatPEquation, formatPercent } from '../figures.ts'

type Result = MetricResult['result']

/** What was checked about the figures, and what was found. */
export interface HealthCheck {
  readonly state: 'ok' | 'warning' | 'unknown'
  readonly text: string
}

/** A metric and its result. */
export interface Measured {
  readonly metric: Pick<Metric, 'name' | 'event'>
  readonly result: Result
}

/** The checks of the results of a feature, in the order of their weight. All have the same users and range. */
export function healthChecks(measured: readonly Measured[]): readonly HealthCheck[] {
  const [first] = measured
  if (!first) return []
  const { sampleRatio, exposures, coverage } = first.result
  const silent = measured.filter(({ result }) => exposures.users > 0 && isSilent(result))
  return [
    ...splitCheck(sampleRatio),
    ...exposureCheck(exposures),
    coverage.isComplete
      ? { state: 'ok', text: 'All events of the range are included' }
      : { state: 'warning', text: capitalize(coverage.reason ?? 'events of the range are missing') },
    ...silent.map(
      ({ metric }): HealthCheck => ({
        state: 'warning',
        text: `${metric.name} has no events: no user who got a variation sent “${metric.event}”`
      })
    ),
    ...otherWarnings(measured)
  ]
}

const isSilent = ({ variations }: Result): boolean => variations.every(({ numerator }) => numerator === 0)

function splitCheck({ isMismatch, pValue, reason }: Result['sampleRatio']): readonly HealthCheck[] {
  // A mismatch takes the place of the decision.
  if (isMismatch) return []
  return isMismatch === null || pValue === null
    ? [{ state: 'unknown', text: `The split of users could not be checked: ${reason ?? 'its shares are unknown'}` }]
    : [{ state: 'ok', text: `Users are split as planned (${formatPEquation(pValue)})` }]
}

function exposureCheck({ users, multiple, isWarning }: Result['exposures']): readonly HealthCheck[] {
  if (users === 0) return []
  if (multiple === 0) return [{ state: 'ok', text: `Each of ${formatCount(users)} users got one variation only` }]
  const text = `${formatCount(multiple)} of ${formatCount(users)} users got several variations and count for each`
  return [{ state: isWarning ? 'warning' : 'ok', text }]
}

/** Warnings of the server about what no check names. */
function otherWarnings(measured: readonly Measured[]): readonly HealthCheck[] {
  const known = ({ coverage, exposures, sampleRatio }: Result, warning: string) =>
    warning === coverage.reason ||
    (sampleRatio.isMismatch && warning.startsWith('sample ratio mismatch')) ||
    (exposures.isWarning && warning.startsWith(`${exposures.multiple} users got several variations`))
  const warnings = measured.flatMap(({ result }) => result.warnings.filter((warning) => !known(result, warning)))
  return [...new Set(warnings)].map((warning) => ({ state: 'warning', text: capitalize(warning) }))
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** How users were split: planned and observed shares of each variation. */
export function splitRows({ variations, sampleRatio: { expected, observed } }: Result) {
  const total = Object.values(observed).reduce((sum, users) => sum + users, 0)
  return variations.map(({ key, name }) => {
    const users = observed[key] ?? 0
    return {
      key,
      name,
      planned: formatPercent(expected?.[key] ?? 0),
      users: formatCount(users),
      observed: formatPercent(total === 0 ? 0 : users / total)
    }
  })
}

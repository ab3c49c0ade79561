import type { Operator, Rollout } from '@burgee/core'
import type { StoredConfiguration, StoredTarget } from '../../storage/resources/feature.ts'

interface ReleaseContext {
  /** Whether users outside a target's rollout are passed to the next target. */
  readonly allowsPassthrough: boolean
  readonly now: number
}

/**
 * Finds the single variation that all users of an environment get, and an upper bound of when that began. It is read
 * from the targets: each serves this variation only, down to one for all users with a finished rollout.
 */
export function findRelease(
  { status, targets, startedAt, updatedAt }: StoredConfiguration,
  { allowsPassthrough, now }: ReleaseContext
): { readonly variation: string; readonly since: number } | undefined {
  if (status !== 'active') return undefined
  const [first] = targets
  const variation = first && singleVariation(first)
  if (variation === undefined) return undefined
  let since = Math.max(Date.parse(updatedAt), Date.parse(startedAt ?? updatedAt))
  for (const target of targets) {
    if (singleVariation(target) !== variation) return undefined
    const end = rolloutEnd(target.rollout)
    const isFinished = end <= now
    if (!isFinished && !allowsPassthrough) return undefined
    const isForAll = matchesAll(target.audience.filters)
    if (isFinished && (isForAll || !allowsPassthrough)) since = Math.max(since, end)
    if (isFinished && isForAll) return { variation, since }
  }
  return undefined
}

/** Returns the variation of a target that serves only one. */
function singleVariation({ distribution }: StoredTarget): string | undefined {
  const [only, ...others] = distribution.filter(({ percentage }) => percentage > 0)
  return only?.percentage === 1 && others.length === 0 ? only._variation : undefined
}

/** Returns when a rollout reaches 100 %, in epoch milliseconds; infinity if it ends below. */
function rolloutEnd(rollout: Rollout | null | undefined): number {
  if (!rollout) return 0
  const { type, startDate, startPercentage, stages = [] } = rollout
  const start = Date.parse(startDate)
  if (type === 'schedule') return start
  const last = stages.at(-1)?.percentage ?? startPercentage
  return last === 1 ? Math.max(start, ...stages.map(({ date }) => Date.parse(date))) : Number.POSITIVE_INFINITY
}

/** Whether filters match all users by an `all` filter. Filters that match everyone by coincidence do not count. */
function matchesAll({ operator, filters = [] }: Operator): boolean {
  const matches = filters.map((filter) => ('operator' in filter ? matchesAll(filter) : filter.type === 'all'))
  if (operator === 'or') return matches.includes(true)
  return matches.length > 0 && !matches.includes(false)
}

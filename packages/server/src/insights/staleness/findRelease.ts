import type { Operator, Rollout } from '@burgee/core'
import type { StoredConfiguration, StoredTarget } from '../../storage/resources.ts'

interface ReleaseContext {
  /** Whether users whom a rollout turns away go on to the next target. */
  readonly allowsPassthrough: boolean
  readonly now: number
}

/**
 * The one variation that all users of an environment get, by its id, and since when at the latest. The targets have to
 * say so as they stand there: each serves nothing else, down to one that is for everybody and whose rollout is finished.
 */
export function findRelease(
  { status, targets, startedAt, updatedAt }: StoredConfiguration,
  { allowsPassthrough, now }: ReleaseContext
): { readonly variation: string; readonly since: number } | undefined {
  if (status !== 'active') return undefined
  const [first] = targets
  const variation = first && onlyVariation(first)
  if (variation === undefined) return undefined
  let since = Math.max(Date.parse(updatedAt), Date.parse(startedAt ?? updatedAt))
  for (const target of targets) {
    if (onlyVariation(target) !== variation) return undefined
    const end = endOf(target.rollout)
    const isFinished = end <= now
    if (!isFinished && !allowsPassthrough) return undefined
    const isForAll = matchesAll(target.audience.filters)
    if (isFinished && (isForAll || !allowsPassthrough)) since = Math.max(since, end)
    if (isFinished && isForAll) return { variation, since }
  }
  return undefined
}

/** The variation that a target serves to all whom it admits, if there is only one. */
function onlyVariation({ distribution }: StoredTarget): string | undefined {
  const [only, ...others] = distribution.filter(({ percentage }) => percentage > 0)
  return only?.percentage === 1 && others.length === 0 ? only._variation : undefined
}

/** When a rollout admits everybody for good, in epoch milliseconds: never, where it ends below that. */
function endOf(rollout: Rollout | null | undefined): number {
  if (!rollout) return 0
  const { type, startDate, startPercentage, stages = [] } = rollout
  const start = Date.parse(startDate)
  if (type === 'schedule') return start
  const last = stages.at(-1)?.percentage ?? startPercentage
  return last === 1 ? Math.max(start, ...stages.map(({ date }) => Date.parse(date))) : Number.POSITIVE_INFINITY
}

/** Whether filters match everybody as they stand there; those that happen to, by what they add up to, are not known to. */
function matchesAll({ operator, filters = [] }: Operator): boolean {
  const matches = filters.map((each) => ('operator' in each ? matchesAll(each) : each.type === 'all'))
  if (operator === 'or') return matches.includes(true)
  return matches.length > 0 && !matches.includes(false)
}

import type { Rollout } from '@burgee/core'
import { sanitizeName } from '../words/context.ts'
import { matchesEveryone, members } from '../words/data.ts'

/** The members of a configuration that decide whether all users get the same variation. */
export interface ServingConfiguration {
  readonly status: 'active' | 'inactive'
  readonly targets: readonly {
    readonly name?: string | undefined
    readonly audience: { readonly filters: object }
    readonly rollout?: Rollout | null | undefined
    readonly distribution: readonly { readonly _variation: string; readonly percentage: number }[]
  }[]
}

/** The id of the variation that all users get, or why there is no such variation. */
export type VariationForAll =
  /** `since` is when the last of the rollouts ended, in epoch milliseconds; 0 without rollouts. */
  { readonly variation: string; readonly since: number } | { readonly variation: null; readonly why: string }

/** The inputs of the rule in addition to the configuration. */
export interface ServingOptions {
  /** Epoch milliseconds. */
  readonly now: number
  /** Whether users outside a target's rollout are passed to the next target. If omitted, they get the defaults. */
  readonly allowsPassthrough?: boolean
}

/**
 * Returns the variation that all users of an environment get until its configuration changes. It is read from the
 * targets: each serves this variation only, down to one for all users with a finished rollout. Filters that match all
 * users by coincidence do not count.
 */
export function variationForAll(
  { status, targets }: ServingConfiguration,
  { now, allowsPassthrough = false }: ServingOptions
): VariationForAll {
  if (status === 'inactive') return unknown('the feature is off: users get the defaults in the code')
  let sole: string | undefined
  let since = 0
  let unfinished: string | undefined
  for (const [index, { name, audience, rollout, distribution }] of targets.entries()) {
    const label = name === undefined ? `target ${index + 1}` : `target ${JSON.stringify(sanitizeName(name))}`
    const only = distribution.find(({ percentage }) => percentage > 0)
    if (only?.percentage !== 1) return unknown(`${label} splits users between variations`)
    const end = rolloutEnd(rollout)
    // Also if a date cannot be read.
    const isUnfinished = !(end <= now)
    if (isUnfinished) unfinished ??= `the rollout of ${label} has not reached 100%`
    if (unfinished !== undefined && !allowsPassthrough) return unknown(unfinished)
    sole ??= only._variation
    if (sole !== only._variation) return unknown(`${label} serves a different variation than the targets before it`)
    if (isUnfinished) continue
    const isForAll = matchesEveryone(members(audience.filters))
    if (isForAll || !allowsPassthrough) since = Math.max(since, end)
    if (isForAll) return { variation: sole, since }
  }
  return unknown(unfinished ?? 'no target is for all users: the rest get the defaults in the code')
}

/** Returns when a rollout has admitted all users for good, in epoch milliseconds; infinity if it ends below 100%. */
function rolloutEnd(rollout: Rollout | null | undefined): number {
  if (!rollout) return 0
  const { type, startDate, startPercentage, stages = [] } = rollout
  const start = Date.parse(startDate)
  if (type === 'schedule') return start
  const last = stages.at(-1)?.percentage ?? startPercentage
  return last === 1 ? Math.max(start, ...stages.map(({ date }) => Date.parse(date))) : Number.POSITIVE_INFINITY
}

/** Returns the result without a variation. */
export function unknown(why: string): { readonly variation: null; readonly why: string } {
  return { variation: null, why }
}

import { type ConfigurationData, filtersOf, list, matchesEveryone, members, sharesOf, text } from './data.ts'
import { type RolloutState, rolloutState } from './rolloutState.ts'

/** The status of a feature in an environment. All pages and programs use these words. */
export type EnvironmentStatus =
  /** Everyone gets one variation, named by its id; without it for a complete feature whose variation is unknown. */
  | { readonly status: 'on'; readonly variation?: string }
  /** Everyone gets one of several variations. */
  | { readonly status: 'split'; readonly variations: readonly string[] }
  /** Some users get a variation. */
  | {
      readonly status: 'partly'
      /** The share of users, from 0 to 1: of all, or of those who match if `isFiltered`; absent if it has none. */
      readonly share?: number
      readonly trend: RolloutState['trend']
      /** When the share changes at once instead of gradually, in epoch milliseconds. */
      readonly changesAt?: number
      /** Whether targets select users by conditions. */
      readonly isFiltered: boolean
    }
  /** Serves nobody yet, and some users from `from` on, in epoch milliseconds. */
  | { readonly status: 'scheduled'; readonly from: number }
  | { readonly status: 'off' }
  /** Turned off by a kill, and not turned on again; `since` is in epoch milliseconds. */
  | { readonly status: 'killed'; readonly since: number }

/** The inputs of a status in addition to the configuration. */
export interface StatusOptions {
  /** Epoch milliseconds. */
  readonly now: number
  /** The variation of a complete feature. */
  readonly staticVariation?: string | undefined
  /** The project's setting: users whom a rollout does not include get no later target. */
  readonly disablePassthroughRollouts?: boolean | undefined
}

/** Returns the status of a feature in an environment. Accepts any data; parts that cannot be read serve nobody. */
export function environmentStatus(configuration: ConfigurationData, options: StatusOptions): EnvironmentStatus {
  const { status, hasStaticConfig, targets, killedAt } = members(configuration)
  if (status !== 'active') {
    const since = Date.parse(text(killedAt) ?? '')
    return since > 0 ? { status: 'killed', since } : { status: 'off' }
  }
  if (hasStaticConfig === true)
    return options.staticVariation === undefined
      ? { status: 'on' }
      : { status: 'on', variation: options.staticVariation }
  return statusOf(list(targets).map(members), options)
}

function statusOf(targets: readonly ReturnType<typeof members>[], options: StatusOptions): EnvironmentStatus {
  const variations = new Set<string>()
  let from: number | undefined
  const filteredShares: number[] = []
  let trend: RolloutState['trend'] = 'steady'
  let changesAt: number | undefined
  let covered = 0
  let isFiltered = false
  for (const target of targets) {
    const shares = sharesOf(target)
    if (shares.length === 0 || list(filtersOf(target).filters).length === 0) continue
    const state = rolloutState(target.rollout, options.now)
    const isForAll = matchesEveryone(filtersOf(target))
    if (state.startsAt !== undefined) from = Math.min(from ?? state.startsAt, state.startsAt)
    if (trend !== 'rising' && state.trend !== 'steady') {
      trend = state.trend
      changesAt = state.end?.isStep ? state.end.date : undefined
    }
    if (state.share > 0) for (const { variation } of shares) variations.add(variation)
    if (isForAll) covered += (1 - covered) * Math.min(1, Math.max(0, state.share))
    else if (state.share > 0) {
      isFiltered = true
      filteredShares.push(state.share)
    }
    if (isForAll && (covered === 1 || options.disablePassthroughRollouts)) break
  }
  const [variation, ...others] = variations
  const movement = { trend, ...(changesAt === undefined ? {} : { changesAt }) }
  if (variation === undefined)
    return from === undefined ? { status: 'partly', share: 0, ...movement, isFiltered } : { status: 'scheduled', from }
  if (covered === 1)
    return others.length === 0 ? { status: 'on', variation } : { status: 'split', variations: [variation, ...others] }
  if (!isFiltered) return { status: 'partly', share: covered, ...movement, isFiltered }
  const [share] = filteredShares
  const hasOneShare = covered === 0 && filteredShares.length === 1 && share !== undefined
  return { status: 'partly', ...(hasOneShare ? { share } : {}), ...movement, isFiltered }
}

/** Describes how a share changes: `rising`, `changes on 1 Mar`; empty if steady. `date` formats epoch milliseconds. */
export function movementWords(
  {
    trend = 'steady',
    changesAt
  }: { readonly trend?: RolloutState['trend'] | undefined; readonly changesAt?: number | undefined },
  date: (time: number) => string
): string {
  if (trend === 'steady') return ''
  return changesAt === undefined ? trend : `changes on ${date(changesAt)}`
}

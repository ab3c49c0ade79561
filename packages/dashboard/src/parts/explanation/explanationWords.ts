import type { ExplainedFeature, ExplainedTarget } from '@burgee/contract/schemas'

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 })

/** A share from 0 to 1 as a percentage. */
export function formatShare(share: number): string {
  return percent.format(share)
}

/** Why a user gets what they get of a feature, in one clause. */
export function whySentence(feature: ExplainedFeature, environment: string): string {
  const { outcome, reason, status, target, problem } = feature
  if (outcome === 'failed') return problem?.message ?? 'could not be evaluated'
  if (outcome === 'disabled') return status === 'archived' ? 'archived' : `off in ${environment}`
  if (outcome === 'overridden') return 'override of this user, regardless of the targets'
  if (outcome === 'unserved') return 'no target serves this user'
  if (!target) return status === 'complete' ? 'complete: everybody gets it' : 'served to everybody'
  const words = target.name ? `target “${target.name}”` : 'a target without a name'
  if (reason.reason === 'OPT_IN') return `opted in, ${words}`
  return reason.reason === 'SPLIT' ? `${words}, by its split` : words
}

/** What became of a target, in a word or two. */
export type TargetFate = 'serves' | 'no match' | 'not let in' | 'not reached' | 'serves nothing'

export function targetFate({ isChosen, isReached, isMatched, rollout }: ExplainedTarget): TargetFate {
  if (isChosen) return 'serves'
  if (!isReached) return 'not reached'
  if (!isMatched) return 'no match'
  return rollout && !rollout.isAdmitted ? 'not let in' : 'serves nothing'
}

/** How the rollout of a target applies to the user. */
export function rolloutSentence({ percentage, position, isAdmitted }: NonNullable<ExplainedTarget['rollout']>): string {
  if (percentage === undefined) return isAdmitted ? 'let in' : 'not let in yet'
  if (percentage === 1) return 'let in, as everybody is now'
  if (percentage === 0) return 'not let in: nobody is now'
  const share = formatShare(percentage)
  if (position === undefined) return isAdmitted ? `let in: ${share} are` : `not let in: ${share} are`
  return isAdmitted
    ? `let in: position ${formatShare(position)} is within the first ${share}`
    : `not let in: position ${formatShare(position)} is beyond the first ${share}`
}

/** What the user has where a filter looks, or undefined for filters that look at no attribute. */
export function userValue(filter: Readonly<Record<string, unknown>>, user: Readonly<Record<string, unknown>>): unknown {
  if (filter.type !== 'user' || typeof filter.subType !== 'string') return undefined
  if (filter.subType !== 'customData') return user[filter.subType] ?? null
  const name = String(filter.dataKey)
  return memberOf(user.customData, name) ?? memberOf(user.privateCustomData, name) ?? null
}

function memberOf(data: unknown, name: string): unknown {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, name)) return undefined
  return (data as Readonly<Record<string, unknown>>)[name]
}

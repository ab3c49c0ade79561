import type { ExplainedFeature, ExplainedFilter, ExplainedTarget, MissedTarget } from '@burgee/contract/schemas'
import { condition } from '@burgee/contract/words'

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 })

/** The position of a user in a rollout or a split, from 0 to 1, or a limit of it, as an exact percentage. */
export function formatPosition(share: number): string {
  return percent.format(share)
}

/** The user of an explanation, and the names of custom properties by property key. */
export interface ExplainedUser {
  readonly user: Readonly<Record<string, unknown>>
  readonly customProperties: ReadonlyMap<string, string>
}

/** Describes a filter, and the user's value of the attribute that it compares, if it compares one. */
export function describeExplainedFilter(
  { filter, audiences = [] }: ExplainedFilter,
  { user, customProperties }: ExplainedUser
): { readonly words: string; readonly userHas: string | undefined } {
  const names = new Map(audiences.flatMap(({ _id, key, name }) => [[_id, name] as const, [key, name] as const]))
  const value = userValue(filter, user)
  return {
    words: condition(filter, { now: Date.now(), audiences: names, customProperties }),
    userHas: value === undefined ? undefined : `the user has ${describeUserValue(value)}`
  }
}

function describeUserValue(value: unknown): string {
  if (value === null || value === '') return 'none'
  return typeof value === 'string' ? `“${value}”` : (JSON.stringify(value) ?? 'none')
}

/** Why a user gets what they get of a feature, in one clause. */
export function whySentence(feature: ExplainedFeature, environment: string, explained: ExplainedUser): string {
  const { outcome, reason, status, target, problem } = feature
  if (outcome === 'failed') return problem?.message ?? 'could not be evaluated'
  if (outcome === 'disabled') return status === 'archived' ? 'archived' : `off in ${environment}`
  if (outcome === 'overridden') return 'override of this user, regardless of the targets'
  if (outcome === 'unserved') return missedSentence(feature.missed, explained)
  if (!target) return status === 'complete' ? 'complete: everyone gets it' : 'served to everyone'
  const words = target.name ? `target “${target.name}”` : 'one of its targets'
  if (reason.reason === 'OPT_IN') return `opted in, ${words}`
  return reason.reason === 'SPLIT' ? `${words}, by its split` : words
}

function missedSentence(missed: ExplainedFeature['missed'], explained: ExplainedUser): string {
  const cause = missed && missedCause(missed, explained)
  if (!cause) return 'no target serves this user'
  if (missed.further === 0) return cause
  return `${missed.name ? `target “${missed.name}”` : 'first target'}: ${cause}; no other target serves this user`
}

function missedCause({ filter, rollout }: MissedTarget, explained: ExplainedUser): string | undefined {
  if (!filter) return rollout && rolloutSentence(rollout)
  const { words, userHas } = describeExplainedFilter(filter, explained)
  return `no match: ${words}${userHas ? ` · ${userHas}` : ''}`
}

/** What became of a target, in a word or two. */
export type TargetFate = 'serves' | 'no match' | 'not included' | 'not reached' | 'serves nothing'

export function targetFate({ isChosen, isReached, isMatched, rollout }: ExplainedTarget): TargetFate {
  if (isChosen) return 'serves'
  if (!isReached) return 'not reached'
  if (!isMatched) return 'no match'
  return rollout && !rollout.isAdmitted ? 'not included' : 'serves nothing'
}

/** How the rollout of a target applies to the user. */
export function rolloutSentence({ percentage, position, isAdmitted }: NonNullable<ExplainedTarget['rollout']>): string {
  if (percentage === undefined) return isAdmitted ? 'included in the rollout' : 'not included in the rollout yet'
  if (percentage === 1) return 'included: the rollout includes everyone now'
  if (percentage === 0) return 'not included: the rollout includes no one now'
  const share = formatPosition(percentage)
  if (position === undefined)
    return isAdmitted ? `included: the rollout includes ${share}` : `not included: the rollout includes ${share}`
  return isAdmitted
    ? `included: position ${formatPosition(position)} is within the first ${share}`
    : `not included: position ${formatPosition(position)} is beyond the first ${share}`
}

/** Returns the user's value of the attribute that a filter compares; undefined for other filters. */
function userValue(filter: Readonly<Record<string, unknown>>, user: Readonly<Record<string, unknown>>): unknown {
  if (filter.type !== 'user' || typeof filter.subType !== 'string') return undefined
  if (filter.subType !== 'customData') return user[filter.subType] ?? null
  const name = String(filter.dataKey)
  return memberOf(user.customData, name) ?? memberOf(user.privateCustomData, name) ?? null
}

function memberOf(data: unknown, name: string): unknown {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, name)) return undefined
  return (data as Readonly<Record<string, unknown>>)[name]
}

import type { StalenessReason, StalenessSettings } from '@burgee/contract/schemas'
import type { Variation } from '@burgee/core'
import { HOUR } from '../../lib/time.ts'
import type { StoredConfiguration, StoredFeature } from '../../storage/resources.ts'
import { findRelease } from './findRelease.ts'
import { findThreshold } from './thresholds.ts'

/** A feature, with what it does in at least the production environments. */
export interface StalenessCandidate {
  readonly feature: StoredFeature
  readonly configurations: readonly StoredConfiguration[]
}

/** Why a feature is stale. */
export interface StalenessFinding {
  readonly reason: StalenessReason
  /** Since when it has been so, in epoch milliseconds. */
  readonly since: number
  /** For the reason `released`: what everybody gets. */
  readonly variation?: Variation
}

/** What is known about evaluations. */
export interface EvaluationUsage {
  /** Since when they have been counted, in epoch milliseconds. */
  readonly since: number
  /** Id of the feature → start of the last hour in which one of its variables was evaluated. */
  readonly lastEvaluated: ReadonlyMap<string, number>
}

/** What a project says about its features. */
export interface StalenessRules {
  readonly settings: StalenessSettings
  /** Whether users whom a rollout turns away go on to the next target. */
  readonly allowsPassthrough: boolean
  /** Ids of the production environments. */
  readonly productionEnvironments: ReadonlySet<string>
}

/** Whether a feature is stale at a moment, and why: the first reason that holds counts (`management.md` §7). */
export function findStaleness(
  subject: StalenessCandidate,
  usage: EvaluationUsage,
  rules: StalenessRules,
  now: number
): StalenessFinding | undefined {
  const { feature } = subject
  if (!rules.settings.enabled || feature.status !== 'active') return undefined
  const holds = (reason: StalenessReason, since: number) => {
    const threshold = findThreshold(reason, feature.type, rules.settings)
    if (threshold === undefined) return false
    // The rules say "for 14 days" of the others, but "for more than" of these.
    return isUnmodified(reason) ? now - since > threshold : now - since >= threshold
  }
  const release = releaseOf(subject, rules, now)
  if (release && holds('released', release.since)) return { reason: 'released', ...release }
  const unusedSince = sinceLastUse(feature, usage)
  if (holds('unused', unusedSince)) return { reason: 'unused', since: unusedSince }
  const since = Date.parse(feature.updatedAt)
  const reason = (['unmodifiedShort', 'unmodifiedLong'] as const).find((each) => holds(each, since))
  return reason && { reason, since }
}

function isUnmodified(reason: StalenessReason): boolean {
  return reason === 'unmodifiedShort' || reason === 'unmodifiedLong'
}

/** What everybody gets in a production environment, in that where it has been so for longest. */
function releaseOf(
  { feature, configurations }: StalenessCandidate,
  { productionEnvironments, allowsPassthrough }: StalenessRules,
  now: number
): { readonly since: number; readonly variation: Variation } | undefined {
  const releases = configurations.flatMap((configuration) => {
    const release = productionEnvironments.has(configuration._environment)
      ? findRelease(configuration, { allowsPassthrough, now })
      : undefined
    const variation = feature.variations.find(({ _id }) => _id === release?.variation)
    if (!release || !variation) return []
    // It is kept for all production environments together: that can make a release seem younger than it is, never older.
    return [
      { since: Math.max(release.since, Date.parse(feature.prodTargetingUpdatedAt ?? feature.createdAt)), variation }
    ]
  })
  return releases.sort((one, other) => one.since - other.since)[0]
}

/** Since when nobody can have evaluated a feature. What was not counted yet is not known, and an hour may have been used to its end. */
function sinceLastUse({ _id, createdAt }: StoredFeature, { since, lastEvaluated }: EvaluationUsage): number {
  const lastHour = lastEvaluated.get(_id)
  return Math.max(Date.parse(createdAt), since, lastHour === undefined ? 0 : lastHour + HOUR)
}

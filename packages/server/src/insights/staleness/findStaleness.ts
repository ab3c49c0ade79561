import type { StalenessReason, StalenessSettings } from '@burgee/contract/schemas'
import type { Variation } from '@burgee/core'
import { HOUR } from '../../lib/time.ts'
import type { StoredConfiguration, StoredFeature } from '../../storage/resources/feature.ts'
import { findRelease } from './findRelease.ts'
import { findThreshold } from './thresholds.ts'

/** A feature and its configurations in at least the production environments. */
export interface StalenessCandidate {
  readonly feature: StoredFeature
  readonly configurations: readonly StoredConfiguration[]
}

/** Why a feature is stale. */
export interface StalenessFinding {
  readonly reason: StalenessReason
  /** When the feature began to meet the reason, in epoch milliseconds. */
  readonly since: number
  /** For the reason `released`: the variation that all users get. */
  readonly variation?: Variation
}

/** When features were last evaluated. */
export interface EvaluationUsage {
  /** When the server began to count evaluations, in epoch milliseconds. */
  readonly since: number
  /** Feature id → start of the last hour in which one of its variables was evaluated. */
  readonly lastEvaluated: ReadonlyMap<string, number>
}

/** The settings and environments of a project that staleness depends on. */
export interface StalenessRules {
  readonly settings: StalenessSettings
  /** Whether users outside a target's rollout are passed to the next target. */
  readonly allowsPassthrough: boolean
  /** Ids of the production environments. */
  readonly productionEnvironments: ReadonlySet<string>
}

/** Finds the first reason why a feature is stale (docs/guides/stale-features.md, Reasons). */
export function findStaleness(
  candidate: StalenessCandidate,
  usage: EvaluationUsage,
  rules: StalenessRules,
  now: number
): StalenessFinding | undefined {
  const { feature } = candidate
  if (!rules.settings.enabled || feature.status !== 'active') return undefined
  const applies = (reason: StalenessReason, since: number) => {
    const threshold = findThreshold(reason, feature.type, rules.settings)
    if (threshold === undefined) return false
    // Unmodified means "for more than" the threshold, the other reasons "for" it.
    return isUnmodified(reason) ? now - since > threshold : now - since >= threshold
  }
  const release = findOldestRelease(candidate, rules, now)
  if (release && applies('released', release.since)) return { reason: 'released', ...release }
  const unusedSince = lastUse(feature, usage)
  if (applies('unused', unusedSince)) return { reason: 'unused', since: unusedSince }
  const since = Date.parse(feature.updatedAt)
  const reason = (['unmodifiedShort', 'unmodifiedLong'] as const).find((each) => applies(each, since))
  return reason && { reason, since }
}

function isUnmodified(reason: StalenessReason): boolean {
  return reason === 'unmodifiedShort' || reason === 'unmodifiedLong'
}

/**
 * Returns the variation that all users of a production environment get; the one released first, if there are several.
 */
function findOldestRelease(
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
    // `prodTargetingUpdatedAt` covers all production environments, so a release can seem newer than it is, never older.
    return [
      { since: Math.max(release.since, Date.parse(feature.prodTargetingUpdatedAt ?? feature.createdAt)), variation }
    ]
  })
  return releases.sort((one, other) => one.since - other.since)[0]
}

/**
 * Returns the latest time at which the feature may have been used: counts are by the hour, and there are none before
 * `since`.
 */
function lastUse({ _id, createdAt }: StoredFeature, { since, lastEvaluated }: EvaluationUsage): number {
  const lastHour = lastEvaluated.get(_id)
  return Math.max(Date.parse(createdAt), since, lastHour === undefined ? 0 : lastHour + HOUR)
}

/** Whether the staleness of a feature is hidden: permanently, or until the end of its snooze. */
export function isSilenced({ staleness }: Pick<StoredFeature, 'staleness'>, now: number): boolean {
  if (!staleness) return false
  const { disabled, snoozedUntil } = staleness
  return disabled || (snoozedUntil !== undefined && now < Date.parse(snoozedUntil))
}

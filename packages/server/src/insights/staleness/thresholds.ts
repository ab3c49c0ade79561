import type { StalenessReason, StalenessSettings } from '@burgee/contract/schemas'
import type { FeatureType } from '@burgee/core'
import { DAY } from '../../lib/time.ts'

/** Returns after how many milliseconds a reason applies to features of a type; `undefined` if it never does. */
export function findThreshold(
  reason: StalenessReason,
  type: FeatureType,
  settings: StalenessSettings
): number | undefined {
  const { enabled, days, types = {} } = settings[reason]
  const rule = rules[reason]
  if (!enabled || !rule.types.includes(type)) return undefined
  // Each reason's schema allows its own types only; here all of them may be looked up.
  const own: { readonly [Type in FeatureType]?: number | undefined } = types
  return (own[type] ?? days ?? rule.days) * DAY
}

/** Returns the longest threshold of a reason over all types, in milliseconds. */
export function maxThreshold(reason: StalenessReason, settings: StalenessSettings): number {
  return Math.max(0, ...rules[reason].types.map((type) => findThreshold(reason, type, settings) ?? 0))
}

interface Rule {
  readonly days: number
  readonly types: readonly FeatureType[]
}

/**
 * The types of features that a reason applies to, and its default threshold (docs/guides/stale-features.md, Reasons).
 */
const rules: { readonly [Reason in StalenessReason]: Rule } = {
  released: { days: 14, types: ['release', 'experiment'] },
  unused: { days: 14, types: ['release', 'experiment', 'ops', 'permission'] },
  unmodifiedShort: { days: 14, types: ['release', 'experiment'] },
  unmodifiedLong: { days: 30, types: ['ops', 'permission'] }
}

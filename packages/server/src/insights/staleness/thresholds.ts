import type { StalenessReason, StalenessSettings } from '@burgee/contract/schemas'
import type { FeatureType } from '@burgee/core'
import { DAY } from '../../lib/time.ts'

/** After how many milliseconds a reason makes features of a type stale; nothing where it never does. */
export function findThreshold(
  reason: StalenessReason,
  type: FeatureType,
  settings: StalenessSettings
): number | undefined {
  const { enabled, days, types = {} } = settings[reason]
  const rule = rules[reason]
  if (!enabled || !rule.types.includes(type)) return undefined
  // Each reason has its own types, and none of the others among its members.
  const own: { readonly [Type in FeatureType]?: number | undefined } = types
  return (own[type] ?? days ?? rule.days) * DAY
}

/** The longest of those of a reason, in milliseconds. */
export function maxThreshold(reason: StalenessReason, settings: StalenessSettings): number {
  return Math.max(0, ...rules[reason].types.map((type) => findThreshold(reason, type, settings) ?? 0))
}

interface Rule {
  readonly days: number
  readonly types: readonly FeatureType[]
}

/** Which features a reason is about, and after how many days, where a project says nothing else (`management.md` §7). */
const rules: { readonly [Reason in StalenessReason]: Rule } = {
  released: { days: 14, types: ['release', 'experiment'] },
  unused: { days: 14, types: ['release', 'experiment', 'ops', 'permission'] },
  unmodifiedShort: { days: 14, types: ['release', 'experiment'] },
  unmodifiedLong: { days: 30, types: ['ops', 'permission'] }
}

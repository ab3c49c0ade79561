import type { StoredFeature } from '../../storage/resources.ts'

/** Whether nobody is to be told at a moment that a feature is stale: never, or not before its snooze is over. */
export function isSilenced({ staleness }: Pick<StoredFeature, 'staleness'>, now: number): boolean {
  if (!staleness) return false
  const { disabled, snoozedUntil } = staleness
  return disabled || (snoozedUntil !== undefined && now < Date.parse(snoozedUntil))
}

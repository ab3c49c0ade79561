import type { FeatureListItem } from '@burgee/contract/schemas'

type Staleness = NonNullable<FeatureListItem['staleness']>

/** Why a feature is stale, and what to do about it, in one sentence each. */
export interface StaleWords {
  readonly reason: string
  readonly advice: string
}

const REMOVE = 'Keep that branch in the code, remove the check, then complete or archive the feature.'
const DECIDE = 'Finish the rollout, complete it with the variation that stays, or snooze it while it is needed.'

/** Returns the sentences of a finding. */
export function staleWords({ reason, variation }: Staleness): StaleWords {
  switch (reason) {
    case 'released':
      return {
        reason: variation
          ? `Everybody in production has had “${variation}”`
          : 'Everybody in production has had one variation',
        advice: REMOVE
      }
    case 'unused':
      return {
        reason: 'No application has asked for it',
        advice: 'Remove what is left of it in the code, then archive it.'
      }
    case 'unmodifiedShort':
      return { reason: 'Nobody has changed it', advice: DECIDE }
    default:
      return { reason: 'Nobody has changed it', advice: 'Check that it is still needed. If it is, snooze it.' }
  }
}

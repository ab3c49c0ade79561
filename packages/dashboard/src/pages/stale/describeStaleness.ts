import type { FeatureListItem } from '@burgee/contract/schemas'

type Staleness = NonNullable<FeatureListItem['staleness']>

/** Why a feature is stale, and what to do about it, in one sentence each. */
export interface StalenessWords {
  readonly reason: string
  readonly advice: string
}

const REMOVE =
  'The decision is made. Complete it with this variation, or archive it once developers have removed it from the code.'
const DECIDE = 'Finish the rollout, complete it with the variation that stays, or snooze it while it is needed.'

/** Returns the sentences about a stale feature. */
export function describeStaleness({ reason, variation }: Staleness): StalenessWords {
  switch (reason) {
    case 'released':
      return {
        reason: variation
          ? `Everyone in production has been getting “${variation}”`
          : 'Everyone in production has been getting one variation',
        advice: REMOVE
      }
    case 'unused':
      return {
        reason: 'No application has evaluated it',
        advice: 'It is probably no longer needed. Ask its developers whether code still reads it, then archive it.'
      }
    case 'unmodifiedShort':
      return { reason: 'Not modified', advice: DECIDE }
    default:
      return { reason: 'Not modified', advice: 'Check that it is still needed. If it is, snooze it.' }
  }
}

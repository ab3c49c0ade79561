import type { FeatureStaleness } from '@burgee/contract'
import { inUtc } from '../inUtc.ts'
import type { StoredFeature } from '../store/resources.ts'
import type { Finding } from './stalenessOf.ts'

/** Whether a feature was found to be stale at a moment, and what people said about that. */
export function toStaleness(
  { _id: _feature, key, name, staleness }: StoredFeature,
  finding: Finding | undefined,
  at: number
): FeatureStaleness {
  const { disabled = false, snoozedUntil, metaData: said } = staleness ?? {}
  const metaData = { ...said, ...(finding?.variation ? releaseOf(finding.variation) : {}) }
  const told = {
    key,
    name,
    _feature,
    stale: finding !== undefined,
    updatedAt: inUtc(at),
    disabled,
    ...(snoozedUntil === undefined ? {} : { snoozedUntil }),
    ...(finding ? { reason: finding.reason, since: inUtc(finding.since) } : {}),
    ...(said || finding?.variation ? { metaData } : {})
  }
  // What people said in `metaData` came as JSON.
  return told as FeatureStaleness
}

function releaseOf({ _id, key, name }: NonNullable<Finding['variation']>): object {
  return { releaseVariation: { _variation: _id, variationKey: key, variationName: name } }
}

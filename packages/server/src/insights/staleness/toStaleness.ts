import type { FeatureStaleness } from '@burgee/contract/schemas'
import { toIsoString } from '../../lib/time.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StalenessFinding } from './findStaleness.ts'

/** Converts a finding and the stored staleness settings of a feature to the API's form. */
export function toStaleness(
  { _id: _feature, key, name, staleness }: StoredFeature,
  finding: StalenessFinding | undefined,
  at: number
): FeatureStaleness {
  const { disabled = false, snoozedUntil, metaData: stored } = staleness ?? {}
  const metaData = { ...stored, ...(finding?.variation ? releaseOf(finding.variation) : {}) }
  const result = {
    key,
    name,
    _feature,
    stale: finding !== undefined,
    updatedAt: toIsoString(at),
    disabled,
    ...(snoozedUntil === undefined ? {} : { snoozedUntil }),
    ...(finding ? { reason: finding.reason, since: toIsoString(finding.since) } : {}),
    ...(stored || finding?.variation ? { metaData } : {})
  }
  // Stored metadata was validated as JSON when it was written.
  return result as FeatureStaleness
}

function releaseOf({ _id, key, name }: NonNullable<StalenessFinding['variation']>): object {
  return { releaseVariation: { _variation: _id, variationKey: key, variationName: name } }
}

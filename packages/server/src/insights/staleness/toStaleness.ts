import type { FeatureStaleness } from '@burgee/contract/schemas'
import { toIsoString } from '../../lib/time.ts'
import type { StoredFeature } from '../../storage/resources.ts'
import type { StalenessFinding } from './findStaleness.ts'

/** Whether a feature was found to be stale at a moment, and what people said about that. */
export function toStaleness(
  { _id: _feature, key, name, staleness }: StoredFeature,
  finding: StalenessFinding | undefined,
  at: number
): FeatureStaleness {
  const { disabled = false, snoozedUntil, metaData: said } = staleness ?? {}
  const metaData = { ...said, ...(finding?.variation ? releaseOf(finding.variation) : {}) }
  const told = {
    key,
    name,
    _feature,
    stale: finding !== undefined,
    updatedAt: toIsoString(at),
    disabled,
    ...(snoozedUntil === undefined ? {} : { snoozedUntil }),
    ...(finding ? { reason: finding.reason, since: toIsoString(finding.since) } : {}),
    ...(said || finding?.variation ? { metaData } : {})
  }
  // What people said in `metaData` came as JSON.
  return told as FeatureStaleness
}

function releaseOf({ _id, key, name }: NonNullable<StalenessFinding['variation']>): object {
  return { releaseVariation: { _variation: _id, variationKey: key, variationName: name } }
}

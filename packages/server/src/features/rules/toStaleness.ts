import type { FeatureStaleness } from '@burgee/contract'
import type { StoredFeature } from '../../store/resources.ts'

/** Whether a feature is stale, and what people said about that. */
export function toStaleness({ _id: _feature, key, name, staleness }: StoredFeature): FeatureStaleness {
  // What people said in `metaData` came as JSON.
  return { key, name, _feature, stale: false, disabled: false, ...staleness } as FeatureStaleness
}

import type { Environment, FeatureListItem } from '@burgee/contract/schemas'

/** Returns how many features approvals cover: all that are not archived, and those that a protected environment serves. */
export function reachOf(
  features: readonly Pick<FeatureListItem, 'status' | 'environments'>[],
  shielded: readonly Pick<Environment, 'key'>[]
): { readonly total: number; readonly served: number } {
  const reached = features.filter(({ status }) => status !== 'archived')
  const isOn = ({ environments }: Pick<FeatureListItem, 'environments'>) =>
    shielded.some(({ key }) => (environments[key]?.status ?? 'off') !== 'off')
  return { total: reached.length, served: reached.filter(isOn).length }
}

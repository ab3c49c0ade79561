import type { Environment, FeatureListItem } from '@burgee/contract/schemas'

/** The statuses of features that serve nobody. */
const OFF: ReadonlySet<string> = new Set(['off', 'killed'])

/** Returns how many features approvals cover: all that are not archived, and those that a protected environment serves. */
export function approvalCoverage(
  features: readonly Pick<FeatureListItem, 'status' | 'environments'>[],
  shielded: readonly Pick<Environment, 'key'>[]
): { readonly total: number; readonly served: number } {
  const reached = features.filter(({ status }) => status !== 'archived')
  const isOn = ({ environments }: Pick<FeatureListItem, 'environments'>) =>
    shielded.some(({ key }) => !OFF.has(environments[key]?.status ?? 'off'))
  return { total: reached.length, served: reached.filter(isOn).length }
}

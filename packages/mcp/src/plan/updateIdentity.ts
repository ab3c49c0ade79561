import type { CurrentOverride, Environment, UserProfile } from '@burgee/contract/schemas'
import { formatQuoted } from '../results/formatQuoted.ts'
import { diff } from './diff/diff.ts'
import { listNode, objectNode, valueNode, valuesNode } from './diff/diffNode.ts'
import { type Plan, versionOf } from './plan.ts'
import { productionFirst } from './state/affectedEnvironment.ts'

interface IdentityContext {
  readonly profile: UserProfile
  readonly overrides: readonly CurrentOverride[]
  readonly environments: readonly Environment[]
}

/** Plans `update_self_targeting_identity`: the caller's overrides move to another user, or end. */
export function planUpdateIdentity(
  svcUserId: string | null,
  { profile, overrides, environments }: IdentityContext
): Plan {
  const affected = productionFirst(environments).filter(({ _id }) => {
    return overrides.some(({ _environment }) => _environment === _id)
  })
  const isSame = profile.svcUserId === svcUserId
  const versions = overrides.map(({ _environment, _variation }) => `${_environment} ${_variation}`)
  return {
    summary:
      svcUserId === null
        ? "Removes the caller's user_id, and ends their overrides."
        : `Moves the caller's overrides from user ${formatQuoted(profile.svcUserId ?? '')} to user ${formatQuoted(svcUserId)}.`,
    changes: isSame ? [] : diff(treeOf(profile.svcUserId, overrides), treeOf(svcUserId, overrides)),
    environments: affected.map(({ key, type }) => ({ key, type })),
    version: [versionOf(profile), ...versions].join(' ')
  }
}

function treeOf(user: string | null, overrides: readonly CurrentOverride[]) {
  const kept = user === null ? [] : overrides
  const items = kept.map(({ _feature, _environment, featureName, environmentName, variationName: variation }) => {
    const name = `${formatQuoted(featureName)} in ${formatQuoted(environmentName)}`
    return {
      // Names of features are not unique.
      id: `${_feature} ${_environment}`,
      name,
      segment: ` ${name}`,
      label: `override of ${name}`,
      node: valuesNode({ user, variation }) ?? objectNode({})
    }
  })
  return objectNode({ svcUserId: valueNode(user ?? undefined), overrides: listNode(items) })
}

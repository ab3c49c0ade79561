import { formatQuoted, formatQuotedList } from '../results/formatQuoted.ts'
import { enabledEnvironments } from './diff/affectedEnvironments.ts'
import { diff } from './diff/diff.ts'
import { objectNode } from './diff/diffNode.ts'
import { featureTree } from './diff/featureTree.ts'
import { type Plan, versionOf } from './plan.ts'
import type { FeatureWithEnvironments } from './state/featureContext.ts'
import { featureState } from './state/featureState.ts'

/** Plans `delete_feature`. */
export function planDeleteFeature({ feature, environments, audiences }: FeatureWithEnvironments): Plan {
  const before = featureState(feature, environments)
  const tree = featureTree(before, { audiences })
  // Variables are kept, and the summary has the key and the name.
  const lost = objectNode({ ...tree.members, variables: undefined, key: undefined, name: undefined })
  const variables = formatQuotedList(feature.variables.map(({ key }) => key))
  const kept = variables === '' ? '' : ` Its variables (${variables}) stay, without values.`
  return {
    summary: [
      `Deletes feature ${formatQuoted(feature.name)} (${formatQuoted(feature.key)}) from every environment: ${formatQuotedList(environments.map(({ key }) => key))}.`,
      `Its variations and their values, targets, overrides and change requests are lost.${kept}`,
      'Archiving it with update_feature_status also stops serving it, and keeps all of that.'
    ].join(' '),
    // Empty and disabled parts are no loss.
    changes: diff(lost, undefined).filter(
      ({ from }) => !['""', '[]', '{}', 'false', '"inactive"'].includes(JSON.stringify(from))
    ),
    environments: feature.status === 'archived' ? [] : enabledEnvironments(before),
    version: versionOf(feature),
    deletes: feature.key
  }
}

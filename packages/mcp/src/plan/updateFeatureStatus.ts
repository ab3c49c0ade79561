import type { UpdateFeatureStatus } from '@burgee/contract/schemas'
import { approvalNote } from '../approvals/approvalPolicy.ts'
import { formatQuoted } from '../results/formatQuoted.ts'
import { enabledEnvironments } from './diff/affectedEnvironments.ts'
import { diff } from './diff/diff.ts'
import { featureTree } from './diff/featureTree.ts'
import { newlyServedTargets } from './diff/newlyServedTargets.ts'
import { type Plan, versionOf } from './plan.ts'
import { affectsProtected } from './state/affectsProtected.ts'
import { getVariation, targetAllUsers } from './state/applyUpdate.ts'
import type { FeatureContext } from './state/featureContext.ts'
import { type FeatureState, featureState } from './state/featureState.ts'

/** Plans `update_feature_status`. */
export function planUpdateFeatureStatus(
  update: UpdateFeatureStatus,
  { feature, environments, project, audiences }: FeatureContext
): Plan {
  const before = featureState(feature, environments)
  const after = withStatus(before, update)
  const changes = [
    ...newlyServedTargets(before, after, audiences),
    ...diff(featureTree(before, { audiences }), featureTree(after, { known: before, audiences }))
  ]
  const name = `feature ${formatQuoted(feature.name)} (${formatQuoted(feature.key)})`
  return {
    summary: `${describeStatus(name, update)}${affectsProtected(before, after) ? approvalNote(project) : ''}`,
    changes,
    environments: changes.length === 0 ? [] : enabledEnvironments(before),
    version: versionOf(feature)
  }
}

function describeStatus(name: string, { status, staticVariation = '' }: UpdateFeatureStatus): string {
  if (status === 'complete') {
    return `Completes ${name}: all users get variation ${formatQuoted(staticVariation)} wherever it is on, and its targets are lost.`
  }
  if (status === 'archived') return `Archives ${name}: no user gets it, and its variables are archived too.`
  return `Reactivates ${name} with its targets.`
}

/** Applies a status. Only `complete` changes the configurations. */
function withStatus(before: FeatureState, { status, staticVariation: reference }: UpdateFeatureStatus): FeatureState {
  const { staticVariation: _, ...rest } = before
  if (status !== 'complete') return { ...rest, status }
  const variation = getVariation(before, reference, 'staticVariation')
  const isDone = before.status === 'complete' && before.staticVariation === variation.key
  const configurations = before.configurations.map((configuration) => {
    return isDone && configuration.targets.length > 0
      ? configuration
      : { ...configuration, targets: [targetAllUsers(variation)] }
  })
  return { ...rest, status, staticVariation: variation.key, configurations }
}

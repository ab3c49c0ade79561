import type { UpdateFeature } from '@burgee/contract/schemas'
import { approvalNote } from '../approvals/approvalPolicy.ts'
import { formatQuoted, formatQuotedList } from '../results/formatQuoted.ts'
import { affectedEnvironments } from './diff/affectedEnvironments.ts'
import { diff } from './diff/diff.ts'
import { featureTree } from './diff/featureTree.ts'
import { newlyServedTargets } from './diff/newlyServedTargets.ts'
import { type Plan, versionOf } from './plan.ts'
import { affectsProtected } from './state/affectsProtected.ts'
import { applyUpdate } from './state/applyUpdate.ts'
import type { FeatureContext } from './state/featureContext.ts'
import { type FeatureState, featureState } from './state/featureState.ts'

/** Plans `update_feature`. */
export function planUpdateFeature(
  body: UpdateFeature,
  { feature, environments, project, audiences }: FeatureContext
): Plan {
  const before = featureState(feature, environments)
  const after = applyUpdate(before, body)
  const changes = diff(featureTree(before, { audiences }), featureTree(after, { known: before, audiences }))
  const details = [describeSwitches, describeLosses, describeReassignment, describeAdjustments]
  const sentences = [
    `Updates feature ${formatQuoted(feature.name)} (${formatQuoted(feature.key)}).`,
    ...details.map((describe) => describe(before, after))
  ]
  return {
    summary: `${sentences.filter(Boolean).join(' ')}${affectsProtected(before, after) ? approvalNote(project) : ''}`,
    changes: [...newlyServedTargets(before, after, audiences), ...changes],
    environments: affectedEnvironments(before, after),
    version: versionOf(feature),
    needsFullDiff: true
  }
}

/** Describes where the feature is turned on or off, which a long list of changes could hide. */
function describeSwitches(before: FeatureState, after: FeatureState): string {
  const sentences = (['active', 'inactive'] as const).map((wanted) => {
    const where = after.configurations.filter(({ status }, index) => {
      return status === wanted && before.configurations[index]?.status !== wanted
    })
    const keys = formatQuotedList(where.map(({ environment }) => environment.key))
    return where.length === 0 ? '' : `It is turned ${wanted === 'active' ? 'on' : 'off'} in ${keys}.`
  })
  return sentences.filter(Boolean).join(' ')
}

/** Describes removals by omission from a list, which are often unintended. */
function describeLosses(before: FeatureState, after: FeatureState): string {
  const counts = [
    [countRemoved(before.variations, after.variations), 'variation'],
    [countRemoved(before.variables.map(byKey), after.variables.map(byKey)), 'variable'],
    [countLostTargets(before, after), 'target']
  ] as const
  const removed = counts.flatMap(([count, name]) => (count > 0 ? `${count} ${name}${count === 1 ? '' : 's'}` : []))
  return removed.length === 0 ? '' : `It loses ${removed.join(', ')}.`
}

/** Counts the removed targets that no new target of their environment replaces. */
function countLostTargets(before: FeatureState, after: FeatureState): number {
  const counts = after.configurations.map(({ targets }, index) => {
    const earlier = before.configurations[index]?.targets ?? []
    return Math.max(countRemoved(earlier, targets) - countRemoved(targets, earlier), 0)
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Describes where a new target replaces an existing one, which can reassign users to other variations. */
function describeReassignment(before: FeatureState, after: FeatureState): string {
  const where = after.configurations.filter(({ targets, status }, index) => {
    const earlier = before.configurations[index]?.targets ?? []
    return status === 'active' && countRemoved(earlier, targets) > 0 && countRemoved(targets, earlier) > 0
  })
  if (where.length === 0) return ''
  const keys = formatQuotedList(where.map(({ environment }) => environment.key))
  return `Users are reassigned in ${keys}: a new target replaces an existing one, and some users can get another variation.`
}

/** Describes the adjustments by the server that the list of changes does not contain. */
function describeAdjustments(before: FeatureState, after: FeatureState): string {
  const [earlier, later] = [before.variations, after.variations]
  const sentences = [
    countRemoved(earlier, later) > 0 || countRemoved(later, earlier) > 0
      ? 'Targets that distribute users among variations are adjusted to the new list of variations.'
      : '',
    before.settings?.optInEnabled === after.settings?.optInEnabled
      ? ''
      : 'In every environment, the target for users who opted in is added or removed.'
  ]
  return sentences.filter(Boolean).join(' ')
}

type Known = { readonly _id: string }

function countRemoved(before: readonly Known[], after: readonly Known[]): number {
  const kept = new Set(after.map(({ _id }) => _id))
  return before.filter(({ _id }) => !kept.has(_id)).length
}

function byKey({ key }: { readonly key: string }): Known {
  return { _id: key }
}

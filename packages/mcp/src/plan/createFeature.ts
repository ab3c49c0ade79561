import { type CreateFeature, type Environment, isProtected, withDefaultVariations } from '@burgee/contract/schemas'
import { approvalNote } from '../approvals/approvalPolicy.ts'
import { formatQuoted, formatQuotedList } from '../results/formatQuoted.ts'
import { enabledEnvironments } from './diff/affectedEnvironments.ts'
import { diff } from './diff/diff.ts'
import { featureTree } from './diff/featureTree.ts'
import { NO_VERSION, type Plan } from './plan.ts'
import { productionFirst } from './state/affectedEnvironment.ts'
import { applyUpdate } from './state/applyUpdate.ts'
import type { FeatureContext } from './state/featureContext.ts'
import { type FeatureState, isOn } from './state/featureState.ts'

/** Plans `create_feature`. */
export function planCreateFeature(
  body: CreateFeature,
  { environments, project, audiences }: Omit<FeatureContext, 'feature'>
): Plan {
  const { key, name } = body
  const after = applyUpdate(emptyFeature(body, environments), withDefaultVariations(body))
  const configured = after.configurations.filter(({ status, targets }) => status === 'active' || targets.length > 0)
  const on = configured.filter(isOn)
  // Without targets a feature serves no one.
  const serving = enabledEnvironments({ configurations: configured.filter(({ targets }) => targets.length > 0) })
  const idle = on.length > 0 && serving.length === 0 ? ', where it serves no one until it has targets' : ''
  const where =
    on.length === 0
      ? 'off in every environment'
      : `on in ${formatQuotedList(on.map(({ environment }) => environment.key))}${idle}`
  const waiting = on.map(({ environment }) => environment).filter(isProtected)
  const activation = `turning it on in ${formatQuotedList(waiting.map((environment) => environment.key))}`
  const note = waiting.length > 0 ? approvalNote(project, activation) : ''
  return {
    summary: `Creates feature ${formatQuoted(name)} (${formatQuoted(key)}), ${where}.${note}`,
    changes: diff(undefined, featureTree({ ...after, configurations: configured }, { audiences })),
    environments: serving,
    version: NO_VERSION,
    needsFullDiff: true
  }
}

function emptyFeature({ key, type = 'release' }: CreateFeature, environments: readonly Environment[]): FeatureState {
  const configurations = productionFirst(environments).map((environment) => {
    return { environment, status: 'inactive' as const, targets: [] }
  })
  return { key, type, variables: [], variations: [], configurations }
}

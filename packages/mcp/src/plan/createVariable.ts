import type { CreateVariable } from '@burgee/contract/schemas'
import { formatQuoted, formatQuotedList } from '../results/formatQuoted.ts'
import { affectedEnvironments } from './diff/affectedEnvironments.ts'
import { diff } from './diff/diff.ts'
import { featureTree, variableTree } from './diff/featureTree.ts'
import { NO_VERSION, type Plan, versionOf } from './plan.ts'
import { applyUpdate } from './state/applyUpdate.ts'
import type { FeatureWithEnvironments } from './state/featureContext.ts'
import { featureState } from './state/featureState.ts'

/** Plans `create_variable`. In a feature, the variable gets a value in each variation; alone it affects no one. */
export function planCreateVariable(body: CreateVariable, parent?: FeatureWithEnvironments): Plan {
  const { _feature, defaultValue, ...variable } = body
  const name = `Creates variable ${formatQuoted(body.key)} of type ${body.type}`
  if (!parent) {
    const summary = `${name}. It has no values until it is in a feature.`
    return { summary, changes: diff(undefined, variableTree(variable)), environments: [], version: NO_VERSION }
  }
  const { feature, environments } = parent
  const before = featureState(feature, environments)
  const added = { ...variable, ...(defaultValue === undefined ? {} : { defaultValue }) }
  const known = feature.variables.map(({ key, type }) => ({ key, type }))
  const after = applyUpdate(before, { variables: [...known, added] })
  const affected = affectedEnvironments(before, after)
  const on =
    affected.length === 0 ? 'off in every environment' : `on in ${formatQuotedList(affected.map(({ key }) => key))}`
  return {
    summary: `${name} in feature ${formatQuoted(feature.name)} (${formatQuoted(feature.key)}), which is ${on}.`,
    changes: diff(featureTree(before), featureTree(after, { known: before })),
    environments: affected,
    version: versionOf(feature)
  }
}

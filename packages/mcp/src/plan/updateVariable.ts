import type { UpdateVariable, Variable } from '@burgee/contract/schemas'
import { formatQuoted, formatQuotedList } from '../results/formatQuoted.ts'
import { enabledEnvironments } from './diff/affectedEnvironments.ts'
import { diff } from './diff/diff.ts'
import { variableTree } from './diff/featureTree.ts'
import { type Plan, versionOf } from './plan.ts'
import type { FeatureWithEnvironments } from './state/featureContext.ts'
import { featureState, type VariableState } from './state/featureState.ts'

/** Plans `update_variable`. */
export function planUpdateVariable(body: UpdateVariable, variable: Variable, parent?: FeatureWithEnvironments): Plan {
  const changes = diff(variableTree(variable), variableTree(applyVariableUpdate(variable, body)))
  const isServed = parent !== undefined && parent.feature.status !== 'archived' && changes.length > 0
  const environments = isServed ? enabledEnvironments(featureState(parent.feature, parent.environments)) : []
  const of = parent ? ` of feature ${formatQuoted(parent.feature.key)}` : ', which is in no feature'
  const on = environments.length > 0 ? `, which is on in ${formatQuotedList(environments.map(({ key }) => key))}` : ''
  return {
    summary: `Updates variable ${formatQuoted(variable.key)}${of}${on}.${parent ? describeConsequences(variable, body) : ''}`,
    changes,
    environments,
    version: [versionOf(variable), ...(parent ? [versionOf(parent.feature)] : [])].join(' ')
  }
}

/** Applies an update: `null` removes a value, and omitted values are kept. */
function applyVariableUpdate(variable: Variable, body: UpdateVariable): VariableState {
  const given = Object.entries(body).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value ?? undefined]]
  )
  return { ...variable, ...Object.fromEntries(given) }
}

function describeConsequences({ key, type }: Variable, body: UpdateVariable): string {
  const isRenamed = body.key !== undefined && body.key !== key
  const isRetyped = body.type !== undefined && body.type !== type
  return [
    isRenamed ? ` Code that reads it as ${formatQuoted(key)} gets the default in the code.` : '',
    isRetyped ? ` Code that reads it as a ${type} gets the default in the code.` : ''
  ].join('')
}

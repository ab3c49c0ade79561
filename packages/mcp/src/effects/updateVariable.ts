import type { UpdateVariable, Variable } from '@burgee/contract/schemas'
import type { Effect } from '../confirmation/effect.ts'
import { quoted, quotedList } from '../quoted.ts'
import type { Carrier } from './around.ts'
import { basisOf } from './basis.ts'
import { differences } from './differences.ts'
import { factsOf, type VariableFacts } from './facts.ts'
import { variableParts } from './featureParts.ts'
import { live } from './reach.ts'

/** What changing a variable would do. */
export function updateVariableEffect(body: UpdateVariable, variable: Variable, carrier?: Carrier): Effect {
  const changes = differences(variableParts(variable), variableParts(changed(variable, body)))
  const isServed = carrier !== undefined && carrier.feature.status !== 'archived' && changes.length > 0
  const environments = isServed ? live(factsOf(carrier.feature, carrier.environments)) : []
  const of = carrier ? ` of feature ${quoted(carrier.feature.key)}` : ', which is in no feature'
  const on = environments.length > 0 ? `, which is on in ${quotedList(environments.map(({ key }) => key))}` : ''
  return {
    summary: `Changes variable ${quoted(variable.key)}${of}${on}.${carrier ? consequences(variable, body) : ''}`,
    changes,
    environments,
    basis: [basisOf(variable), ...(carrier ? [basisOf(carrier.feature)] : [])].join(' ')
  }
}

/** Null removes; what is not given stays. */
function changed(variable: Variable, body: UpdateVariable): VariableFacts {
  const said = Object.entries(body).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value ?? undefined]]
  )
  return { ...variable, ...Object.fromEntries(said) }
}

function consequences({ key, type }: Variable, body: UpdateVariable): string {
  const isRenamed = body.key !== undefined && body.key !== key
  const isRetyped = body.type !== undefined && body.type !== type
  return [
    isRenamed ? ` Code that reads it as ${quoted(key)} gets its own default from then on.` : '',
    isRetyped ? ` Code that reads it as a ${type} gets its own default from then on.` : ''
  ].join('')
}

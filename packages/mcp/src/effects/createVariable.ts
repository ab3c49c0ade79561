import type { CreateVariable } from '@burgee/contract/schemas'
import type { Effect } from '../confirmation/effect.ts'
import { quoted, quotedList } from '../quoted.ts'
import type { Carrier } from './around.ts'
import { ABSENT, basisOf } from './basis.ts'
import { changedFeature } from './changedFeature.ts'
import { differences } from './differences.ts'
import { factsOf } from './facts.ts'
import { featureParts, variableParts } from './featureParts.ts'
import { reached } from './reach.ts'

/** What creating a variable would do: alone it reaches nobody, in a feature it comes with a value in each variation. */
export function createVariableEffect(body: CreateVariable, carrier?: Carrier): Effect {
  const { _feature, defaultValue, ...variable } = body
  const name = `Creates variable ${quoted(body.key)} of type ${body.type}`
  if (!carrier) {
    const summary = `${name}. It has no values before it is in a feature.`
    return { summary, changes: differences(undefined, variableParts(variable)), environments: [], basis: ABSENT }
  }
  const { feature, environments } = carrier
  const before = factsOf(feature, environments)
  const added = { ...variable, ...(defaultValue === undefined ? {} : { defaultValue }) }
  const known = feature.variables.map(({ key, type }) => ({ key, type }))
  const after = changedFeature(before, { variables: [...known, added] })
  const changes = differences(featureParts(before), featureParts(after, before))
  const where = reached(before, after)
  const on = where.length === 0 ? 'which is on nowhere' : `which is on in ${quotedList(where.map(({ key }) => key))}`
  return {
    summary: `${name} in feature ${quoted(feature.key)}, ${on}.`,
    changes,
    environments: where,
    basis: basisOf(feature)
  }
}

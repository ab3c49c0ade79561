import type { Effect } from '../confirmation/effect.ts'
import { quoted, quotedList } from '../quoted.ts'
import type { Carrier } from './around.ts'
import { basisOf } from './basis.ts'
import { members } from './comparable.ts'
import { differences } from './differences.ts'
import { factsOf } from './facts.ts'
import { featureParts } from './featureParts.ts'
import { live } from './reach.ts'

/** What deleting a feature would do. */
export function deleteFeatureEffect({ feature, environments }: Carrier): Effect {
  const before = factsOf(feature, environments)
  const parts = featureParts(before)
  // Its variables go nowhere, and the summary has its names.
  const lost = members({ ...parts.members, variables: undefined, key: undefined, name: undefined })
  const variables = quotedList(feature.variables.map(({ key }) => key))
  const kept = variables === '' ? '' : ` Its variables (${variables}) stay, without values.`
  return {
    summary: [
      `Deletes feature ${quoted(feature.key)}, named ${quoted(feature.name)}, from every environment: ${quotedList(environments.map(({ key }) => key))}.`,
      `Its variations and their values, its targets, overrides and change requests are lost for good.${kept}`,
      'To archive it with update_feature_status instead would serve nobody either, and keep all of that.'
    ].join(' '),
    // What is empty or off is no loss.
    changes: differences(lost, undefined).filter(
      ({ from }) => !['""', '[]', '{}', 'false', '"inactive"'].includes(JSON.stringify(from))
    ),
    environments: feature.status === 'archived' ? [] : live(before),
    basis: basisOf(feature),
    deletes: feature.key
  }
}

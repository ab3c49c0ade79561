import type { AudienceOf } from './audience.ts'
import type { Place } from './place.ts'
import type { Served } from './served.ts'
import { type PreparedTarget, prepareTarget } from './target.ts'
import type { Feature } from './types/feature.ts'
import type { Json, Variable } from './types/variable.ts'

/** A feature with everything that does not depend on the user worked out. */
export interface PreparedFeature {
  readonly source: Pick<Feature, '_id' | 'key' | 'type' | 'settings'>
  /** By id. */
  readonly variations: ReadonlyMap<string, PreparedVariation>
  /** The variables that any of its variations gives a value to; a variable's index is its slot. */
  readonly carried: readonly Variable[]
  readonly targets: readonly PreparedTarget[]
  /** Its id if users can opt in to it. */
  readonly optInId: string | undefined
  /** Whether a user whom a rollout turns away goes on to the next target. */
  readonly isPassthrough: boolean
}

/** A variation with its values beside the variables they are for. */
export interface PreparedVariation {
  readonly _id: string
  readonly key: string
  readonly name: string
  readonly values: readonly { readonly variable: Variable; readonly value: Json }[]
  /** Id of a variable that it gives a value to and that the config does not have. */
  readonly unknownVariable: string | undefined
  /** Its result as an override, once one was asked for. */
  override: Served | undefined
}

/** What a feature reads of the config around it. */
export interface Surroundings {
  readonly audience: AudienceOf
  /** By id. */
  readonly variables: ReadonlyMap<string, Variable>
  readonly isOptInEnabled: boolean
  readonly isPassthrough: boolean
}

/** Prepares a feature. */
export function prepareFeature(place: Place, around: Surroundings): PreparedFeature {
  const settings = place.at('settings')
  const source = {
    _id: place.at('_id').string(),
    key: place.at('key').string(),
    type: place.at('type').oneOf(['release', 'experiment', 'permission', 'ops']),
    // An object by its own reading, and its copy is one too.
    ...(settings.isAbsent() ? {} : { settings: settings.json() as NonNullable<Feature['settings']> })
  }
  const configuration = place.at('configuration')
  configuration.at('_id').string()
  const variations = place
    .at('variations')
    .items()
    .map((variation) => prepareVariation(variation, around.variables))
  const canOptIn = around.isOptInEnabled && !settings.isAbsent() && Boolean(settings.at('optInEnabled').value)
  return {
    source,
    variations: new Map(variations.map((variation) => [variation._id, variation])),
    carried: [...new Set(variations.flatMap(({ values }) => values.map(({ variable }) => variable)))],
    targets: configuration
      .at('targets')
      .items()
      .map((target) => prepareTarget(target, around.audience)),
    optInId: canOptIn ? source._id : undefined,
    isPassthrough: around.isPassthrough
  }
}

function prepareVariation(place: Place, variables: ReadonlyMap<string, Variable>): PreparedVariation {
  const values: { variable: Variable; value: Json }[] = []
  let unknownVariable: string | undefined
  for (const entry of place.at('variables').items()) {
    const id = entry.at('_var').string()
    const variable = variables.get(id)
    if (variable) values.push({ variable, value: entry.at('value').json() })
    else unknownVariable ??= id
  }
  return {
    _id: place.at('_id').string(),
    key: place.at('key').string(),
    name: place.at('name').string(),
    values,
    unknownVariable,
    override: undefined
  }
}

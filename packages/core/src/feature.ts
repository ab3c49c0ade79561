import type { Place } from './place.ts'
import type { Serving } from './served.ts'
import type { Conditions } from './subject.ts'
import { type PreparedTarget, prepareTarget } from './target.ts'
import type { Feature } from './types/feature.ts'
import type { Variable } from './types/variable.ts'
import { type PreparedVariation, prepareVariation } from './variation.ts'

/** A feature with everything that does not depend on the user worked out. */
export interface PreparedFeature extends Serving {
  /** By id. */
  readonly variations: ReadonlyMap<string, PreparedVariation>
  /** The target to try first; each names the next one. */
  readonly first: PreparedTarget | undefined
  /** Its id if users can opt in to it where the project lets them. */
  readonly optInId: string | undefined
}

/** Prepares a feature. `variables` are those of the config, by id. */
export function prepareFeature(
  place: Place,
  variables: ReadonlyMap<string, Variable>,
  conditions: Conditions
): PreparedFeature {
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
    .map((variation) => prepareVariation(variation, variables))
  const carried = [...new Set(variations.flatMap(({ values }) => values.map(({ variable }) => variable)))]
  const targets = configuration
    .at('targets')
    .items()
    .reduceRight<PreparedTarget | undefined>((next, target) => prepareTarget(target, next, conditions), undefined)
  return {
    source,
    variations: new Map(variations.map((variation) => [variation._id, variation])),
    carried,
    first: targets,
    optInId: !settings.isAbsent() && settings.at('optInEnabled').value ? source._id : undefined
  }
}

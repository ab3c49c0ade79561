import type { Shared } from './judge.ts'
import type { Place } from './place.ts'
import type { Serving } from './served.ts'
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
  /** Its id if users can opt in to it. */
  readonly optInId: string | undefined
  /** Whether a user whom a rollout turns away goes on to the next target. */
  readonly isPassthrough: boolean
}

/** What a feature reads of the config around it. */
export interface Surroundings {
  readonly shared: Shared
  /** By id. */
  readonly variables: ReadonlyMap<string, Variable>
  /** Where each variable stands among all, in the order of their keys. */
  readonly positions: ReadonlyMap<Variable, number>
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
  const carried = [...new Set(variations.flatMap(({ values }) => values.map(({ variable }) => variable)))]
  const canOptIn = around.isOptInEnabled && !settings.isAbsent() && Boolean(settings.at('optInEnabled').value)
  const targets = configuration
    .at('targets')
    .items()
    .reduceRight<PreparedTarget | undefined>((next, target) => prepareTarget(target, next, around.shared), undefined)
  return {
    source,
    variations: new Map(variations.map((variation) => [variation._id, variation])),
    carried,
    positions: carried.flatMap((variable) => around.positions.get(variable) ?? []),
    first: targets,
    optInId: canOptIn ? source._id : undefined,
    isPassthrough: around.isPassthrough
  }
}

import type { Conditions } from '../conditions/filter.ts'
import type { JsonCursor } from '../json/jsonCursor.ts'
import type { Feature } from '../types/feature.ts'
import type { ServableFeature } from './served.ts'
import { type PreparedTarget, prepareTarget } from './target.ts'
import { type PreparedVariation, prepareVariation, type VariablesById } from './variation.ts'

/** A prepared feature. */
export interface PreparedFeature extends ServableFeature {
  readonly variations: readonly PreparedVariation[]
  /** The head of the linked list of targets. */
  readonly firstTarget: PreparedTarget | undefined
  /** The feature's id, if it allows opt-ins. */
  readonly optInId: string | undefined
}

/** Returns the variation with an id. If several have it, the last one takes precedence. */
export function variationOf({ variations }: PreparedFeature, id: string): PreparedVariation | undefined {
  return variations.findLast(({ _id }) => _id === id)
}

/** Prepares a feature. `variables` are the variables of the config by id. */
export function prepareFeature(cursor: JsonCursor, variables: VariablesById, conditions: Conditions): PreparedFeature {
  const settings = cursor.at('settings')
  const source = {
    _id: cursor.at('_id').string(),
    key: cursor.at('key').string(),
    type: cursor.at('type').oneOf(['release', 'experiment', 'permission', 'ops']),
    // `settings.at` below checks that this is an object, so its copy is one too.
    ...(settings.isAbsent() ? {} : { settings: settings.json() as NonNullable<Feature['settings']> })
  }
  const configuration = cursor.at('configuration')
  configuration.at('_id').string()
  const variations = cursor
    .at('variations')
    .items()
    .map((variation) => prepareVariation(variation, variables))
  return {
    source,
    variations,
    variables: [...new Set(variations.flatMap(({ values }) => values.map(({ variable }) => variable)))],
    firstTarget: configuration
      .at('targets')
      .items()
      .reduceRight<PreparedTarget | undefined>((next, target) => prepareTarget(target, next, conditions), undefined),
    optInId: !settings.isAbsent() && settings.at('optInEnabled').value ? source._id : undefined
  }
}

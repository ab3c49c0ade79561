import type { Environment, Feature } from '@burgee/contract/schemas'
import type { Effect } from '../confirmation/effect.ts'
import { quoted } from '../quoted.ts'
import { basisOf } from './basis.ts'
import { members, value } from './comparable.ts'
import { differences } from './differences.ts'

/** An override that the caller has, or would have, of a feature in an environment. */
export interface Overriding {
  readonly feature: Pick<Feature, '_id' | 'key' | 'variations' | 'updatedAt'>
  readonly environment: Pick<Environment, 'key' | 'type'>
  /** The id of the variation that the caller gets there by now, if there is one. */
  readonly chosen: string | undefined
}

/** What an override would do: the caller alone gets a variation. */
export function setOverrideEffect(
  { key: variation }: { readonly key: string },
  overriding: Overriding,
  user: string
): Effect {
  const what = `get variation ${quoted(variation)} of ${placeOf(overriding)}, whatever its targets say`
  return {
    summary: `Has user ${quoted(user)} alone ${what}.`,
    ...effectOf(overriding, variation)
  }
}

/** What the end of an override would do. */
export function clearOverrideEffect(overriding: Overriding): Effect {
  return {
    summary: `Ends the override of ${placeOf(overriding)}: the caller, and nobody else, gets what its targets say again.`,
    ...effectOf(overriding, undefined)
  }
}

function placeOf({ feature, environment }: Overriding): string {
  return `feature ${quoted(feature.key)} in environment ${quoted(environment.key)}`
}

function effectOf(
  { feature, environment, chosen }: Overriding,
  variation: string | undefined
): Pick<Effect, 'changes' | 'environments' | 'basis'> {
  const current = chosen && (feature.variations.find(({ _id }) => _id === chosen)?.key ?? chosen)
  const override = (key: string | undefined) => members({ [environment.key]: value(key) })
  return {
    changes: differences(override(current), override(variation), 'overrides'),
    environments: [{ key: environment.key, type: environment.type }],
    basis: basisOf(feature)
  }
}

import { type Feature, MAX_VARIATIONS, show, type VariationInput } from '@burgee/contract'
import type { MakeEdit } from '../audit/edit.ts'
import type { TokenCaller } from '../caller.ts'
import { conflict, invalid, itemNotFound, preconditionFailed } from '../errors.ts'
import { changeFeatureAt } from '../features/changeFeature.ts'
import { readFeatureAt } from '../features/readFeatureAt.ts'
import type { Rule } from '../features/rules/featureChange.ts'
import type { FeatureState } from '../features/rules/featureState.ts'
import { toVariation } from '../features/rules/toFeature.ts'
import { updateFeature } from '../features/rules/update.ts'
import { findVariation } from '../features/rules/variations.ts'
import { showFeature } from '../features/showFeature.ts'
import type { FeatureAddress } from '../find.ts'
import { given } from '../given.ts'
import type { Inspect } from '../staleness/inspect.ts'
import type { Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly inspect: Inspect
}

type Ids = 'createVariation' | 'listVariations' | 'getVariation' | 'updateVariation'

/** Keeps the variations of features. */
export function variations({ store, edit, inspect }: Dependencies): Pick<Handlers, Ids> {
  /** Changes a feature, and shows it after that: the event store is asked, and no other write is to wait for it. */
  const change = async (caller: TokenCaller, at: FeatureAddress, rule: Rule): Promise<Feature> =>
    showFeature(store, inspect, await edit(caller, (made) => changeFeatureAt(made, at, { rule })))

  return {
    createVariation: ({ params, body }, caller) =>
      change(caller, params, (state, context) => {
        refuseTaken(state, body.key)
        demandRoom(state)
        return updateFeature(state, { variations: [...present(state), body] }, context)
      }),

    listVariations: async ({ params }, caller) => {
      const { state } = await readFeatureAt(store, params, caller)
      return state.feature.variations.map((variation) => toVariation(state, variation))
    },

    getVariation: async ({ params }, caller) => {
      const { state } = await readFeatureAt(store, params, caller)
      return toVariation(state, find(state, params.key))
    },

    updateVariation: ({ params, body }, caller) =>
      change(caller, params, (state, context) => {
        const { _id, key } = find(state, params.key)
        if (body._id !== undefined && body._id !== _id) {
          throw invalid([`_id should be ${show(_id)}, that of variation "${key}", got ${show(body._id)}`])
        }
        if (body.key !== undefined && body.key !== key) refuseTaken(state, body.key)
        const variations = present(state).map((each) => (each._id === _id ? { ...each, ...given(body) } : each))
        return updateFeature(state, { variations }, context)
      })
  }
}

/** The variations of a feature as a request would list them to keep them as they are. */
function present({ feature }: FeatureState): readonly VariationInput[] {
  return feature.variations.map(({ _id, key, name }) => ({ _id, key, name }))
}

function find({ feature }: FeatureState, reference: string) {
  const variation = findVariation(feature, reference)
  if (!variation) throw itemNotFound(reference, `feature "${feature.key}"`)
  return variation
}

function refuseTaken({ feature }: FeatureState, key: string): void {
  if (feature.variations.some((variation) => variation.key === key)) {
    throw conflict(`Duplicate key '${key}'`, 'ERR_DUPE_VARIATION_KEY')
  }
}

function demandRoom({ feature: { key, variations } }: FeatureState): void {
  if (variations.length < MAX_VARIATIONS) return
  throw preconditionFailed(`feature "${key}" has ${variations.length} variations; it can have ${MAX_VARIATIONS}`)
}

import { type Feature, MAX_VARIATIONS, type VariationInput } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { findNearest, formatValue } from '@burgee/kit/text'
import type { EditRunner } from '../../../access/audit/edit.ts'
import type { FeaturePath } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { refused } from '../../../access/permissions/managementError.ts'
import { readFeatureAt } from '../../../flags/features/readFeatureAt.ts'
import { applyFeatureUpdate } from '../../../flags/features/rules/applyFeatureUpdate.ts'
import type { FeatureCommand, FeatureUpdater } from '../../../flags/features/rules/model/featureCommand.ts'
import type { FeatureState } from '../../../flags/features/rules/model/featureState.ts'
import { toVariation } from '../../../flags/features/rules/toFeature.ts'
import { findVariation } from '../../../flags/features/rules/variations/variations.ts'
import { updateFeatureAt } from '../../../flags/features/updateFeature.ts'
import type { InspectProject } from '../../../insights/staleness/inspectProject.ts'
import { badRequest, itemNotFound, preconditionFailed } from '../../../lib/errors.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers, Revised } from '../shared/handler.ts'
import { serializeRevised } from '../shared/serializeRevised.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly inspect: InspectProject
}

type Ids = 'createVariation' | 'listVariations' | 'getVariation' | 'updateVariation'

/** Handles the variations of features. */
export function variations({ store, edit, inspect }: Dependencies): Pick<Handlers, Ids> {
  /** Updates a feature. Serialization follows the edit: it reads the event store and would delay other writes. */
  const updateAt = async (
    caller: TokenCaller,
    path: FeaturePath,
    command: Pick<FeatureCommand, 'update' | 'ifMatch'>
  ): Promise<Revised<Feature>> =>
    serializeRevised(store, inspect, await edit(caller, (change) => updateFeatureAt(change, path, command)))

  return {
    createVariation: ({ params, body }, caller) =>
      updateAt(caller, params, {
        update: (state, context) => {
          assertUniqueKey(state, body.key)
          assertVariationLimit(state)
          return applyFeatureUpdate(state, { variations: [...toInputs(state), body] }, context)
        }
      }),

    listVariations: async ({ params }, caller) => {
      const { state, revision } = await readFeatureAt(store, params, caller)
      return { revision, body: state.feature.variations.map((variation) => toVariation(state, variation)) }
    },

    getVariation: async ({ params }, caller) => {
      const { state, revision } = await readFeatureAt(store, params, caller)
      return { revision, body: toVariation(state, find(state, params.key)) }
    },

    updateVariation: ({ params, headers, body }, caller) => {
      const update: FeatureUpdater = (state, context) => {
        const { _id, key } = find(state, params.key)
        if (body._id !== undefined && body._id !== _id) {
          throw badRequest([
            `_id should be ${formatValue(_id)}, the id of variation "${key}", got ${formatValue(body._id)}`
          ])
        }
        if (body.key !== undefined && body.key !== key) assertUniqueKey(state, body.key)
        const variations = toInputs(state).map((each) =>
          each._id === _id ? { ...each, ...omitUndefined(body) } : each
        )
        return applyFeatureUpdate(state, { variations }, context)
      }
      return updateAt(caller, params, { update, ifMatch: headers['if-match'] })
    }
  }
}

/** Converts the variations of a feature to update input that leaves them unchanged. */
function toInputs({ feature }: FeatureState): readonly VariationInput[] {
  return feature.variations.map(({ _id, key, name }) => ({ _id, key, name }))
}

function find({ feature }: FeatureState, reference: string) {
  const variation = findVariation(feature, reference)
  if (!variation) {
    const keys = feature.variations.map(({ key }) => key)
    throw itemNotFound('variation', reference, {
      within: `feature "${feature.key}"`,
      nearest: findNearest(reference, keys)
    })
  }
  return variation
}

function assertUniqueKey({ feature }: FeatureState, key: string): void {
  if (feature.variations.some((variation) => variation.key === key)) {
    throw refused('ERR_DUPE_VARIATION_KEY', `Duplicate key '${key}'`)
  }
}

function assertVariationLimit({ feature: { key, variations } }: FeatureState): void {
  if (variations.length < MAX_VARIATIONS) return
  throw preconditionFailed(`feature "${key}" has ${variations.length} variations, the maximum is ${MAX_VARIATIONS}`)
}

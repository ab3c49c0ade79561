import { findByKeyOrId } from '@burgee/kit'
import { getFeature, getInProject, getProject } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { listOwnOverrides, setOverride } from '../../../flags/overrides/overrides.ts'
import { ensureProfile, updateProfile } from '../../../flags/overrides/profiles.ts'
import {
  serializeCurrentOverrides,
  serializeFeatureOverrides,
  toOverride
} from '../../../flags/overrides/serializeOverrides.ts'
import { itemNotFound } from '../../../lib/errors.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import { newRecordFields } from '../../../storage/newRecordFields.ts'
import { removeAll } from '../../../storage/removeAll.ts'
import type { StoredFeature } from '../../../storage/resources/feature.ts'
import type { StoredProject } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
}

type Operations =
  | 'getUserProfile'
  | 'updateUserProfile'
  | 'updateFeatureOverride'
  | 'getCurrentFeatureOverrides'
  | 'deleteFeatureOverride'
  | 'getFeatureOverrides'
  | 'listCurrentOverrides'
  | 'deleteCurrentOverrides'

/** Handles self-targeting. Overrides are not audited and need no approval. */
export function overrides({ store, ids, now }: Dependencies): Pick<Handlers, Operations> {
  const recordFields = () => newRecordFields(now(), ids)

  return {
    getUserProfile: async ({ params }, caller) => {
      const project = await getProject(store, params.project, caller)
      const found = await store.collection('profiles').get({ _project: project._id, idp_user: caller.id })
      return found ?? store.transaction((store) => ensureProfile(store, project, caller, recordFields))
    },

    updateUserProfile: ({ params, body }, caller) =>
      store.transaction(async (store) => {
        const project = await getProject(store, params.project, caller)
        return updateProfile(store, project, caller, { body, recordFields })
      }),

    updateFeatureOverride: ({ params, body }, caller) =>
      store.transaction(async (store) => {
        const { project, feature } = await getFeature(store, params, caller)
        const { _id: _environment } = await getInProject(store, 'environments', project, body.environment, caller)
        const { _id: _variation } = findVariation(feature, body.variation)
        const profile = await ensureProfile(store, project, caller, recordFields)
        const chosen = { _feature: feature._id, _environment, _variation }
        return toOverride(await setOverride(store, profile, chosen, recordFields()))
      }),

    getCurrentFeatureOverrides: async ({ params, query }, caller) => {
      const { project, feature } = await getFeature(store, params, caller)
      const where = {
        _feature: feature._id,
        idp_user: caller.id,
        ...(await environmentFilter(store, project, query.environment, caller))
      }
      const { items } = await store.collection('overrides').list({ where })
      return { overrides: items.map(({ _environment, _variation }) => ({ _environment, _variation })) }
    },

    deleteFeatureOverride: ({ params, query }, caller) =>
      store.transaction(async (store) => {
        const { project, feature } = await getFeature(store, params, caller)
        const { _id: _environment } = await getInProject(store, 'environments', project, query.environment, caller)
        const chosen = store.collection('overrides')
        const override = await chosen.get({ _feature: feature._id, _environment, idp_user: caller.id })
        if (override) await chosen.remove(override._id)
      }),

    getFeatureOverrides: async ({ params, query }, caller) => {
      const { project, feature } = await getFeature(store, params, caller)
      const where = { _feature: feature._id, ...(await environmentFilter(store, project, query.environment, caller)) }
      const { items } = await store.collection('overrides').list({ where })
      return serializeFeatureOverrides(store, items, { withNames: query.addMetadata ?? false })
    },

    listCurrentOverrides: async ({ params }, caller) => {
      const project = await getProject(store, params.project, caller)
      return serializeCurrentOverrides(store, await listOwnOverrides(store, project, caller))
    },

    deleteCurrentOverrides: ({ params }, caller) =>
      store.transaction(async (store) => {
        const project = await getProject(store, params.project, caller)
        await removeAll(store, 'overrides', { _project: project._id, idp_user: caller.id })
      })
  }
}

function findVariation({ key, variations }: StoredFeature, reference: string) {
  const found = findByKeyOrId(variations, reference)
  if (!found) throw itemNotFound('variation', reference, { within: `feature "${key}"` })
  return found
}

/** Returns the filter for one environment, or no filter if the request names none. */
async function environmentFilter(
  store: Store,
  project: StoredProject,
  reference: string | undefined,
  caller: TokenCaller
) {
  if (reference === undefined) return {}
  return { _environment: (await getInProject(store, 'environments', project, reference, caller))._id }
}

import { findByKeyOrId, omitUndefined } from '@burgee/kit'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { getFeature, getInProject, getProject } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { assertCanChangeProtected } from '../../../flags/environments/protection.ts'
import { assertCanOverride } from '../../../flags/overrides/assertCanOverride.ts'
import { listOwnOverrides, removeOverrides, setOverride } from '../../../flags/overrides/overrides.ts'
import { ensureProfile, updateProfile } from '../../../flags/overrides/profiles.ts'
import {
  serializeCurrentOverrides,
  serializeFeatureOverrides,
  toOverride
} from '../../../flags/overrides/serializeOverrides.ts'
import { itemNotFound } from '../../../lib/errors.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import { newRecordFields } from '../../../storage/newRecordFields.ts'
import type { StoredFeature } from '../../../storage/resources/feature.ts'
import type { StoredProject } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
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
  | 'deleteFeatureOverrides'
  | 'listCurrentOverrides'
  | 'deleteCurrentOverrides'

/** Handles self-targeting. Overrides need no approval. */
export function overrides({ store, edit, ids, now }: Dependencies): Pick<Handlers, Operations> {
  const recordFields = () => newRecordFields(now(), ids)

  return {
    getUserProfile: async ({ params }, caller) => {
      const project = await getProject(store, params.project, caller)
      const found = await store.collection('profiles').get({ _project: project._id, idp_user: caller.id })
      return found ?? store.transaction((store) => ensureProfile(store, project, caller, recordFields))
    },

    updateUserProfile: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        return updateProfile(change, await getProject(change.store, params.project, caller), body)
      }),

    updateFeatureOverride: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const { project, feature } = await getFeature(change.store, params, caller)
        const environment = await getInProject(change.store, 'environments', project, body.environment, caller)
        assertCanOverride(caller, project, environment)
        const { _id: _variation } = findVariation(feature, body.variation)
        const profile = await ensureProfile(change.store, project, caller, change.recordFields)
        const chosen = { _feature: feature._id, _environment: environment._id, _variation }
        return toOverride(await setOverride(change, profile, chosen))
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
      edit(caller, async (change) => {
        const { project, feature } = await getFeature(change.store, params, caller)
        const environment = await getInProject(change.store, 'environments', project, query.environment, caller)
        const where = { _feature: feature._id, _environment: environment._id, idp_user: caller.id }
        await removeOverrides(change, (await change.store.collection('overrides').list({ where })).items)
      }),

    getFeatureOverrides: async ({ params, query }, caller) => {
      const { project, feature } = await getFeature(store, params, caller)
      const where = { _feature: feature._id, ...(await environmentFilter(store, project, query.environment, caller)) }
      const { items } = await store.collection('overrides').list({ where })
      return serializeFeatureOverrides(store, items, { withNames: query.addMetadata ?? false })
    },

    deleteFeatureOverrides: ({ params, query }, caller) =>
      edit(caller, async (change) => {
        const { project, feature } = await getFeature(change.store, params, caller)
        const environment = await getInProject(change.store, 'environments', project, query.environment, caller)
        // Those of other members, so the settings of the project do not matter.
        assertCanChangeProtected(environment, caller)
        const { idp_user } = query
        const where = { _feature: feature._id, _environment: environment._id, ...omitUndefined({ idp_user }) }
        const { items } = await change.store.collection('overrides').list({ where })
        await removeOverrides(change, items)
        return { deleted: items.length }
      }),

    listCurrentOverrides: async ({ params }, caller) => {
      const project = await getProject(store, params.project, caller)
      return serializeCurrentOverrides(store, await listOwnOverrides(store, project, caller))
    },

    deleteCurrentOverrides: ({ params }, caller) =>
      edit(caller, async (change) => {
        const project = await getProject(change.store, params.project, caller)
        await removeOverrides(change, await listOwnOverrides(change.store, project, caller))
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

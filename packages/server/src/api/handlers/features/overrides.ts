import { findByKeyOrId } from '@burgee/kit'
import { getFeature, getInProject, getProject } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { findIdentity } from '../../../access/permissions/findIdentity.ts'
import { refused } from '../../../access/permissions/managementError.ts'
import { badRequest, itemNotFound } from '../../../lib/errors.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import { newRecordFields } from '../../../storage/newRecordFields.ts'
import { removeAll } from '../../../storage/removeAll.ts'
import type { StoredFeature, StoredOverride, StoredProfile, StoredProject } from '../../../storage/resources.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../kit/handler.ts'

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

  /** Returns the caller's profile in a project, and creates an empty one on first use. */
  const ensureProfile = async (store: Store, { _id: _project }: StoredProject, { id }: TokenCaller) => {
    const profiles = store.collection('profiles')
    const found = await profiles.get({ _project, idp_user: id })
    return found ?? profiles.insert({ ...recordFields(), _project, idp_user: id, svcUserId: null })
  }

  return {
    getUserProfile: async ({ params }, caller) => {
      const project = await getProject(store, params.project, caller)
      const found = await store.collection('profiles').get({ _project: project._id, idp_user: caller.id })
      return found ?? store.transaction((store) => ensureProfile(store, project, caller))
    },

    updateUserProfile: ({ params, body }, caller) =>
      store.transaction(async (store) => {
        const project = await getProject(store, params.project, caller)
        const before = await ensureProfile(store, project, caller)
        const svcUserId = body.svcUserId === undefined ? before.svcUserId : body.svcUserId || null
        if (svcUserId === before.svcUserId) return before
        await assertUniqueServiceUser(store, before, svcUserId)
        const { updatedAt } = recordFields()
        for (const override of await listOverrides(store, project, caller)) {
          if (svcUserId === null) await store.collection('overrides').remove(override._id)
          else await store.collection('overrides').update(override._id, { svcUserId, updatedAt })
        }
        return { ...before, ...(await store.collection('profiles').update(before._id, { svcUserId, updatedAt })) }
      }),

    updateFeatureOverride: ({ params, body }, caller) =>
      store.transaction(async (store) => {
        const { project, feature } = await getFeature(store, params, caller)
        const { _id: _environment } = await getInProject(store, 'environments', project, body.environment, caller)
        const { _id: _variation } = findVariation(feature, body.variation)
        const { svcUserId } = await ensureProfile(store, project, caller)
        if (svcUserId === null) throw badRequest('svcUserId of your profile should be set before an override, got null')
        const chosen = store.collection('overrides')
        const before = await chosen.get({ _feature: feature._id, _environment, idp_user: caller.id })
        const { updatedAt, ...fields } = recordFields()
        const members = { _variation, svcUserId, updatedAt }
        const after = before
          ? await chosen.update(before._id, members)
          : await chosen.insert({
              ...fields,
              ...members,
              _project: project._id,
              _feature: feature._id,
              _environment,
              idp_user: caller.id
            })
        // The item was found in the same transaction.
        return toOverride(after as StoredOverride)
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
      const names = query.addMetadata ? await readNames(store, items) : undefined
      const shown = items.map((override) => ({ ...toOverride(override), ...names?.get(override.idp_user) }))
      const environments = [...new Set(items.map(({ _environment }) => _environment))]
      return {
        overrides: Object.fromEntries(
          environments.map((id) => [id, shown.filter(({ _environment }) => _environment === id)])
        ),
        uniqueTeamMembers: new Set(items.map(({ idp_user }) => idp_user)).size
      }
    },

    listCurrentOverrides: async ({ params }, caller) => {
      const project = await getProject(store, params.project, caller)
      const shown = (await listOverrides(store, project, caller)).map((override) => toCurrentOverride(store, override))
      return (await Promise.all(shown)).flat()
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

/** Lists the caller's overrides in a project. */
async function listOverrides(store: Store, { _id: _project }: StoredProject, { id }: TokenCaller) {
  const where = { _project, idp_user: id }
  return (await store.collection('overrides').list({ where, sortBy: 'createdAt' })).items
}

/**
 * Asserts that no other member has this `svcUserId`; members would otherwise share overrides.
 * @throws {HttpError} 409
 */
async function assertUniqueServiceUser(
  store: Store,
  { _id, _project }: StoredProfile,
  svcUserId: string | null
): Promise<void> {
  if (svcUserId === null) return
  const holder = await store.collection('profiles').get({ _project, svcUserId })
  if (holder && holder._id !== _id) {
    throw refused(
      'ERR_DUPE_PROFILE_SVC_USER_ID',
      `Duplicate svcUserId '${svcUserId}': another member of the team has it`
    )
  }
}

function toOverride({ _id, createdAt, updatedAt, ...override }: StoredOverride) {
  return { ...override, createdAt: Date.parse(createdAt), updatedAt: Date.parse(updatedAt) }
}

/** Serializes an override with names; returns an empty list if a referenced resource was removed. */
async function toCurrentOverride(store: Store, { _feature, _environment, _variation }: StoredOverride) {
  const [feature, environment] = await Promise.all([
    store.collection('features').get({ _id: _feature }),
    store.collection('environments').get({ _id: _environment })
  ])
  const variation = feature?.variations.find(({ _id }) => _id === _variation)
  if (!feature || !environment || !variation) return []
  const [featureName, environmentName, variationName] = [feature.name, environment.name, variation.name]
  return [{ _feature, featureName, _environment, environmentName, _variation, variationName }]
}

/** Returns the names of the members who made overrides, by id. */
async function readNames(store: Store, overrides: readonly StoredOverride[]) {
  const names = new Map<string, { readonly name: string; readonly email?: string }>()
  for (const idp_user of new Set(overrides.map((override) => override.idp_user))) {
    const found = await findIdentity(store, idp_user)
    if (found) names.set(idp_user, { name: found.name, ...(found.email === undefined ? {} : { email: found.email }) })
  }
  return names
}

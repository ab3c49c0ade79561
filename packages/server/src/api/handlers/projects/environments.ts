import { type SdkKeyType, sdkKeyTypes } from '@burgee/contract'
import type { AuditLogChange } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdChange, deletedChange, diffContents } from '../../../access/audit/changes.ts'
import type { Edit, EditRunner } from '../../../access/audit/edit.ts'
import { getInProject, getProject } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { deleteEnvironment } from '../../../flags/environments/deleteEnvironment.ts'
import { getChangeableEnvironment } from '../../../flags/environments/getChangeableEnvironment.ts'
import { newEnvironment, newSdkKey } from '../../../flags/environments/newEnvironment.ts'
import { assertCanChangeProtected } from '../../../flags/environments/protection.ts'
import { restrictSdkKey } from '../../../flags/environments/sdkKeyRestrictions.ts'
import { toEnvironment } from '../../../flags/environments/toEnvironment.ts'
import { updateEnvironment } from '../../../flags/environments/updateEnvironment.ts'
import { deleteUserData } from '../../../flags/projects/deleteUserData.ts'
import { ensureUserSigningSecret } from '../../../flags/signedUsers/userSigningSecrets.ts'
import { itemNotFound, operationNotAllowed } from '../../../lib/errors.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import { maskSecret } from '../../../lib/mask.ts'
import type { SdkKey, StoredEnvironment } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { toListQuery } from '../shared/toListQuery.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
}

type Operations =
  | 'createEnvironment'
  | 'listEnvironments'
  | 'getEnvironment'
  | 'updateEnvironment'
  | 'deleteEnvironment'
  | 'generateSdkKeys'
  | 'updateSdkKey'
  | 'invalidateSdkKey'

/** Handles environments and their SDK keys. */
export function environments({ store, edit, ids }: Dependencies): Pick<Handlers, Operations> {
  return {
    createEnvironment: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const project = await getProject(change.store, params.project, caller)
        assertCanChangeProtected({ ...body, _project: project._id }, caller)
        const created = newEnvironment({ project, change, ids }, body)
        const { environment, changes } = ensureUserSigningSecret(created, change, ids)
        await change.store.collection('environments').insert(environment)
        recordEnvironmentChanges(change, environment, [createdChange('Environment', environment), ...changes])
        return toEnvironment(environment, caller)
      }),

    listEnvironments: async ({ params, query }, caller) => {
      const { _id: _project } = await getProject(store, params.project, caller)
      const page = toListQuery<StoredEnvironment>(query, { _project })
      const { items, count } = await store.collection('environments').list(page)
      return { items: items.map((environment) => toEnvironment(environment, caller)), count }
    },

    getEnvironment: async ({ params }, caller) => {
      return toEnvironment(await find(store, params.project, params.key, caller), caller)
    },

    updateEnvironment: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const found = await findWithProject(change.store, params.project, params.key, caller)
        const ensure = (updated: StoredEnvironment) => ensureUserSigningSecret(updated, change, ids)
        return toEnvironment(await updateEnvironment(change, found, body, { ensure }), caller)
      }),

    deleteEnvironment: async ({ params }, caller) => {
      const removed = await edit(caller, async (change) => {
        return deleteEnvironment(change, await findWithProject(change.store, params.project, params.key, caller))
      })
      await deleteUserData(store, removed)
    },

    generateSdkKeys: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const before = await getChangeableEnvironment(change.store, params, caller)
        const sdkKeys = { ...before.sdkKeys }
        const changes: AuditLogChange[] = []
        for (const type of sdkKeyTypes.filter((keyType) => body[keyType])) {
          const sdkKey = restrictSdkKey(newSdkKey(type, change, ids), type, body, change.at)
          sdkKeys[type] = [...sdkKeys[type], sdkKey]
          changes.push(createdChange('SdkKey', toAudited(type, sdkKey)))
        }
        const after = { ...before, sdkKeys, updatedAt: change.at }
        await change.store.collection('environments').update(before._id, after)
        recordEnvironmentChanges(change, before, changes)
        return toEnvironment(after, caller)
      }),

    updateSdkKey: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const before = await getChangeableEnvironment(change.store, params, caller)
        const { type, sdkKey } = getSdkKey(before, params.key)
        const restricted = restrictSdkKey(sdkKey, type, body, change.at)
        const changes = diffContents(toAudited(type, sdkKey), toAudited(type, restricted))
        if (!changes) return toEnvironment(before, caller)
        const keys = before.sdkKeys[type].map((one) => (one === sdkKey ? restricted : one))
        const after = { ...before, sdkKeys: { ...before.sdkKeys, [type]: keys }, updatedAt: change.at }
        await change.store.collection('environments').update(before._id, after)
        const metadata = { type, key: maskSecret(sdkKey.key) }
        recordEnvironmentChanges(change, before, [{ type: 'modifiedSdkKey', ...changes, metadata }])
        return toEnvironment(after, caller)
      }),

    invalidateSdkKey: ({ params }, caller) =>
      edit(caller, async (change) => {
        const before = await getChangeableEnvironment(change.store, params, caller)
        const { type, sdkKey: removed } = getSdkKey(before, params.key)
        const remaining = before.sdkKeys[type].filter((sdkKey) => sdkKey !== removed)
        if (remaining.length === 0)
          throw operationNotAllowed(`Cannot DELETE last item: create another ${type} key first`)
        const sdkKeys = { ...before.sdkKeys, [type]: remaining }
        await change.store.collection('environments').update(before._id, { sdkKeys, updatedAt: change.at })
        recordEnvironmentChanges(change, before, [deletedChange('SdkKey', toAudited(type, removed))])
      })
  }
}

async function find(store: Store, project: string, reference: string, caller: TokenCaller): Promise<StoredEnvironment> {
  return (await findWithProject(store, project, reference, caller)).environment
}

async function findWithProject(store: Store, reference: string, key: string, caller: TokenCaller) {
  const project = await getProject(store, reference, caller)
  return { project, environment: await getInProject(store, 'environments', project, key, caller) }
}

/** Returns an SDK key of an environment and its type. @throws {HttpError} 404 */
function getSdkKey({ key, sdkKeys }: StoredEnvironment, reference: string): { type: SdkKeyType; sdkKey: SdkKey } {
  for (const type of sdkKeyTypes) {
    const sdkKey = sdkKeys[type].find((one) => one.key === reference)
    if (sdkKey) return { type, sdkKey }
  }
  throw itemNotFound('SDK key', maskSecret(reference), { within: `environment "${key}"` })
}

/** The members of an SDK key that audit entries show. */
function toAudited(
  type: SdkKeyType,
  { key, expiresAt, allowedNetworks, allowedOrigins }: SdkKey
): Readonly<Record<string, unknown>> {
  return { type, key: maskSecret(key), ...omitUndefined({ expiresAt, allowedNetworks, allowedOrigins }) }
}

function recordEnvironmentChanges(
  { recordChanges }: Edit,
  environment: StoredEnvironment,
  changes: readonly AuditLogChange[]
): void {
  recordChanges({ _project: environment._project }, withEnvironment(environment, changes))
}

function withEnvironment({ _id }: StoredEnvironment, changes: readonly AuditLogChange[]): AuditLogChange[] {
  return changes.map((change) => ({ ...change, _environments: [_id] }))
}

import { sdkKeyTypes } from '@burgee/contract'
import type { AuditLogChange } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdChange, deletedChange } from '../../../access/audit/changes.ts'
import type { Edit, EditRunner } from '../../../access/audit/edit.ts'
import { updateAudited } from '../../../access/audit/updateAudited.ts'
import { getInProject, getProject } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { getChangeableEnvironment } from '../../../flags/environments/getChangeableEnvironment.ts'
import { newEnvironment, newSdkKey } from '../../../flags/environments/newEnvironment.ts'
import { assertCanChangeProtected, assertCanUnprotect } from '../../../flags/environments/protection.ts'
import { removeEnvironment } from '../../../flags/environments/removeEnvironment.ts'
import { toEnvironment } from '../../../flags/environments/toEnvironment.ts'
import { deleteUserData } from '../../../flags/projects/deleteUserData.ts'
import { ensureUserSigningSecret } from '../../../flags/signedUsers/userSigningSecrets.ts'
import { itemNotFound, operationNotAllowed } from '../../../lib/errors.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import { maskSecret } from '../../../lib/mask.ts'
import type { StoredEnvironment } from '../../../storage/resources/project.ts'
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

    updateEnvironment: ({ params, body: { settings, ...members } }, caller) =>
      edit(caller, async (change) => {
        const before = await getChangeableEnvironment(change.store, { ...params, environment: params.key }, caller)
        const updated: StoredEnvironment = {
          ...before,
          ...omitUndefined(members),
          settings: { ...before.settings, ...settings }
        }
        const { environment: after, changes } = ensureUserSigningSecret(updated, change, ids)
        assertCanChangeProtected(after, caller)
        await assertCanUnprotect(change, before, after)
        const place = {
          collection: 'environments',
          resource: 'Environment',
          subject: { _project: before._project },
          mapChanges: (modified: readonly AuditLogChange[]) => withEnvironment(before, [...modified, ...changes])
        } as const
        return toEnvironment(await updateAudited(change, place, before, after), caller)
      }),

    deleteEnvironment: async ({ params }, caller) => {
      const removed = await edit(caller, async (change) => {
        const environment = await getChangeableEnvironment(change.store, { ...params, environment: params.key }, caller)
        const { _id, _project } = environment
        const all = await change.store.collection('environments').list({ where: { _project }, perPage: 1 })
        if (all.count === 1) throw operationNotAllowed('Cannot DELETE last item')
        await removeEnvironment(change, environment)
        return { _environments: [_id] }
      })
      await deleteUserData(store, removed)
    },

    generateSdkKeys: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const before = await getChangeableEnvironment(change.store, params, caller)
        const sdkKeys = { ...before.sdkKeys }
        const changes: AuditLogChange[] = []
        for (const type of sdkKeyTypes.filter((keyType) => body[keyType])) {
          const sdkKey = newSdkKey(type, change, ids)
          sdkKeys[type] = [...sdkKeys[type], sdkKey]
          changes.push(createdChange('SdkKey', { type, key: maskSecret(sdkKey.key) }))
        }
        const after = { ...before, sdkKeys, updatedAt: change.at }
        await change.store.collection('environments').update(before._id, after)
        recordEnvironmentChanges(change, before, changes)
        return toEnvironment(after, caller)
      }),

    invalidateSdkKey: ({ params }, caller) =>
      edit(caller, async (change) => {
        const before = await getChangeableEnvironment(change.store, params, caller)
        const matches = ({ key }: { readonly key: string }) => key === params.key
        const type = sdkKeyTypes.find((keyType) => before.sdkKeys[keyType].some(matches))
        if (!type) throw itemNotFound('SDK key', maskSecret(params.key), { within: `environment "${before.key}"` })
        const remaining = before.sdkKeys[type].filter((sdkKey) => !matches(sdkKey))
        if (remaining.length === 0)
          throw operationNotAllowed(`Cannot DELETE last item: create another ${type} key first`)
        const sdkKeys = { ...before.sdkKeys, [type]: remaining }
        await change.store.collection('environments').update(before._id, { sdkKeys, updatedAt: change.at })
        recordEnvironmentChanges(change, before, [deletedChange('SdkKey', { type, key: maskSecret(params.key) })])
      })
  }
}

async function find(store: Store, project: string, reference: string, caller: TokenCaller): Promise<StoredEnvironment> {
  return getInProject(store, 'environments', await getProject(store, project, caller), reference, caller)
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

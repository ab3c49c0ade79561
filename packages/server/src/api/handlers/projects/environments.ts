import type { Environment } from '@burgee/contract/schemas'
import { createdChange } from '../../../access/audit/changes.ts'
import type { Edit, EditRunner } from '../../../access/audit/edit.ts'
import { getInProject, getProject } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { deleteEnvironment } from '../../../flags/environments/deleteEnvironment.ts'
import type { EnvironmentUses } from '../../../flags/environments/environmentUse.ts'
import { getChangeableEnvironment } from '../../../flags/environments/getChangeableEnvironment.ts'
import { newEnvironment } from '../../../flags/environments/newEnvironment.ts'
import { assertCanChangeProtected } from '../../../flags/environments/protection.ts'
import { generateSdkKeys, invalidateSdkKey, updateSdkKey } from '../../../flags/environments/sdkKeys.ts'
import { toEnvironment } from '../../../flags/environments/toEnvironment.ts'
import { updateEnvironment } from '../../../flags/environments/updateEnvironment.ts'
import { deleteUserData } from '../../../flags/projects/deleteUserData.ts'
import { ensureUserSigningSecret } from '../../../flags/signedUsers/userSigningSecrets.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import type { StoredEnvironment } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers, Revised } from '../shared/handler.ts'
import { assertIfMatch, withRevision } from '../shared/revised.ts'
import { toListQuery } from '../shared/toListQuery.ts'
import { withDryRun } from '../shared/withDryRun.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly environmentUses: Pick<EnvironmentUses, 'read'>
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
export function environments({ store, edit, ids, environmentUses }: Dependencies): Pick<Handlers, Operations> {
  const serialize = async (environment: StoredEnvironment, caller: TokenCaller, from = store) =>
    toEnvironment(environment, caller, await environmentUses.read(from, environment._id))
  const toRevised = async (
    environment: StoredEnvironment,
    caller: TokenCaller,
    change: Edit
  ): Promise<Revised<Environment>> => withRevision(environment, await serialize(environment, caller, change.store))
  return {
    createEnvironment: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const project = await getProject(change.store, params.project, caller)
        assertCanChangeProtected({ ...body, _project: project._id }, caller)
        const created = newEnvironment({ project, change, ids }, body)
        const { environment, changes } = ensureUserSigningSecret(created, change, ids)
        await change.store.collection('environments').insert(environment)
        const recorded = [createdChange('Environment', environment), ...changes]
        change.recordChanges(
          { _project: project._id },
          recorded.map((one) => ({ ...one, _environments: [environment._id] }))
        )
        return toRevised(environment, caller, change)
      }),

    listEnvironments: async ({ params, query: { includeSdkKeys = true, ...paging } }, caller) => {
      const { _id: _project } = await getProject(store, params.project, caller)
      const page = toListQuery<StoredEnvironment>(paging, { _project })
      const { items, count } = await store.collection('environments').list(page)
      const shown = await Promise.all(items.map((environment) => serialize(environment, caller)))
      return { items: includeSdkKeys ? shown : shown.map(withoutSdkKeys), count }
    },

    getEnvironment: async ({ params, query: { includeSdkKeys = true } }, caller) => {
      const environment = await find(store, params.project, params.key, caller)
      const shown = await serialize(environment, caller)
      return withRevision(environment, includeSdkKeys ? shown : withoutSdkKeys(shown))
    },

    updateEnvironment: ({ params, headers, body }, caller) =>
      edit(caller, async (change) => {
        const found = await findWithProject(change.store, params.project, params.key, caller)
        await assertIfMatch(change, found.environment, headers, 'environment:read')
        const ensure = (updated: StoredEnvironment) => ensureUserSigningSecret(updated, change, ids)
        return toRevised(await updateEnvironment(change, found, body, { ensure }), caller, change)
      }),

    deleteEnvironment: async ({ params, headers }, caller) => {
      const removed = await edit(caller, async (change) => {
        const found = await findWithProject(change.store, params.project, params.key, caller)
        await assertIfMatch(change, found.environment, headers, 'environment:read')
        return deleteEnvironment(change, found)
      })
      await deleteUserData(store, removed)
    },

    generateSdkKeys: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const before = await getChangeableEnvironment(change.store, params, caller)
        return toRevised(await generateSdkKeys(change, before, body, ids), caller, change)
      }),

    updateSdkKey: ({ params, headers, body }, caller) =>
      edit(caller, async (change) => {
        const before = await getChangeableEnvironment(change.store, params, caller)
        await assertIfMatch(change, before, headers, 'environment:read')
        return toRevised(await updateSdkKey(change, before, params.key, body), caller, change)
      }),

    invalidateSdkKey: ({ params, query, headers }, caller) =>
      withDryRun(edit, query.dryRun)(caller, async (change) => {
        const before = await getChangeableEnvironment(change.store, params, caller)
        await assertIfMatch(change, before, headers, 'environment:read')
        await invalidateSdkKey(change, before, params.key)
      })
  }
}

function withoutSdkKeys({ sdkKeys: _, ...others }: Environment): Environment {
  return others
}

async function find(store: Store, project: string, reference: string, caller: TokenCaller): Promise<StoredEnvironment> {
  return (await findWithProject(store, project, reference, caller)).environment
}

async function findWithProject(store: Store, reference: string, key: string, caller: TokenCaller) {
  const project = await getProject(store, reference, caller)
  return { project, environment: await getInProject(store, 'environments', project, key, caller) }
}

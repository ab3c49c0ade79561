import { type AuditLogChange, sdkKeyTypes } from '@burgee/contract'
import { created, deleted } from '../audit/changes.ts'
import type { Edit, MakeEdit } from '../audit/edit.ts'
import { replaceItem } from '../audit/replaceItem.ts'
import type { TokenCaller } from '../caller.ts'
import { newEnvironment, newSdkKey } from '../environments/newEnvironment.ts'
import { demandIfProtected } from '../environments/protection.ts'
import { removeEnvironment } from '../environments/removeEnvironment.ts'
import { toEnvironment } from '../environments/toEnvironment.ts'
import { itemNotFound, notAllowed } from '../errors.ts'
import { findIn, findProject } from '../find.ts'
import { given } from '../given.ts'
import type { Ids } from '../id.ts'
import { mask } from '../mask.ts'
import { forgetUsers } from '../projects/forgetUsers.ts'
import type { StoredEnvironment } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'
import { pageOf } from './page.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly ids: Ids
}

type Operations =
  | 'createEnvironment'
  | 'listEnvironments'
  | 'getEnvironment'
  | 'updateEnvironment'
  | 'deleteEnvironment'
  | 'generateSdkKeys'
  | 'invalidateSdkKey'

/** Keeps environments and their SDK keys. */
export function environments({ store, edit, ids }: Dependencies): Pick<Handlers, Operations> {
  return {
    createEnvironment: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const project = await findProject(change.store, params.project, caller)
        demandIfProtected({ ...body, _project: project._id }, caller)
        const environment = newEnvironment({ project, change, ids }, body)
        await change.store.collection('environments').insert(environment)
        noteOf(change, environment, [created('Environment', environment)])
        return toEnvironment(environment, caller)
      }),

    listEnvironments: async ({ params, query }, caller) => {
      const { _id: _project } = await findProject(store, params.project, caller)
      const page = pageOf<StoredEnvironment>(query, { _project })
      const { items, count } = await store.collection('environments').list(page)
      return { items: items.map((environment) => toEnvironment(environment, caller)), count }
    },

    getEnvironment: async ({ params }, caller) => {
      return toEnvironment(await find(store, params.project, params.key, caller), caller)
    },

    updateEnvironment: ({ params, body: { settings, ...members } }, caller) =>
      edit(caller, async (change) => {
        const before = await findToChange(change, params.project, params.key)
        const after: StoredEnvironment = {
          ...before,
          ...given(members),
          settings: { ...before.settings, ...settings }
        }
        demandIfProtected(after, caller)
        const place = {
          collection: 'environments',
          resource: 'Environment',
          subject: { _project: before._project },
          tell: (changes: readonly AuditLogChange[]) => about(before, changes)
        } as const
        return toEnvironment(await replaceItem(change, place, before, after), caller)
      }),

    deleteEnvironment: async ({ params }, caller) => {
      const gone = await edit(caller, async (change) => {
        const environment = await findToChange(change, params.project, params.key)
        const { _id, _project } = environment
        const all = await change.store.collection('environments').list({ where: { _project }, perPage: 1 })
        if (all.count === 1) throw notAllowed('Cannot DELETE last item')
        await removeEnvironment(change, environment)
        return { _environments: [_id] }
      })
      await forgetUsers(store, gone)
    },

    generateSdkKeys: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const before = await findToChange(change, params.project, params.environment)
        const sdkKeys = { ...before.sdkKeys }
        const changes: AuditLogChange[] = []
        for (const type of sdkKeyTypes.filter((keyType) => body[keyType])) {
          const sdkKey = newSdkKey(type, change, ids)
          sdkKeys[type] = [...sdkKeys[type], sdkKey]
          changes.push(created('SdkKey', { type, key: mask(sdkKey.key) }))
        }
        const after = { ...before, sdkKeys, updatedAt: change.at }
        await change.store.collection('environments').update(before._id, after)
        noteOf(change, before, changes)
        return toEnvironment(after, caller)
      }),

    invalidateSdkKey: ({ params }, caller) =>
      edit(caller, async (change) => {
        const before = await findToChange(change, params.project, params.environment)
        const isMeant = ({ key }: { readonly key: string }) => key === params.key
        const type = sdkKeyTypes.find((keyType) => before.sdkKeys[keyType].some(isMeant))
        if (!type) throw itemNotFound(mask(params.key), `environment "${before.key}"`)
        const left = before.sdkKeys[type].filter((sdkKey) => !isMeant(sdkKey))
        if (left.length === 0) throw notAllowed(`Cannot DELETE last item: make another ${type} key first`)
        const sdkKeys = { ...before.sdkKeys, [type]: left }
        await change.store.collection('environments').update(before._id, { sdkKeys, updatedAt: change.at })
        noteOf(change, before, [deleted('SdkKey', { type, key: mask(params.key) })])
      })
  }
}

async function find(store: Store, project: string, reference: string, caller: TokenCaller): Promise<StoredEnvironment> {
  return findIn(store, 'environments', await findProject(store, project, caller), reference)
}

/** The environment that a caller wants to change. @throws {ApiError} 404; 403 when it is protected from them. */
async function findToChange({ store, caller }: Edit, project: string, reference: string): Promise<StoredEnvironment> {
  const environment = await find(store, project, reference, caller)
  demandIfProtected(environment, caller)
  return environment
}

function noteOf({ note }: Edit, environment: StoredEnvironment, changes: readonly AuditLogChange[]): void {
  note({ _project: environment._project }, about(environment, changes))
}

function about({ _id }: StoredEnvironment, changes: readonly AuditLogChange[]): AuditLogChange[] {
  return changes.map((change) => ({ ...change, _environments: [_id] }))
}

import type { Permission, UpdateProject } from '@burgee/contract'
import { demand } from '../access/demand.ts'
import { visibleProjects } from '../access/visibleProjects.ts'
import { deleted } from '../audit/changes.ts'
import type { Edit, MakeEdit } from '../audit/edit.ts'
import { replaceItem } from '../audit/replaceItem.ts'
import type { TokenCaller } from '../caller.ts'
import { notAllowed } from '../errors.ts'
import { openOptIns } from '../features/openOptIns.ts'
import { readFeature } from '../features/readFeature.ts'
import { featureView } from '../features/showFeature.ts'
import { findProject } from '../find.ts'
import { given } from '../given.ts'
import type { Ids } from '../id.ts'
import { addProject } from '../projects/addProject.ts'
import { demandMapped } from '../projects/demandMapped.ts'
import { forgetUsers, type Gone } from '../projects/forgetUsers.ts'
import { type GivenSettings, mergeSettings } from '../projects/mergeSettings.ts'
import { projectView } from '../projects/projectView.ts'
import { removeProject } from '../projects/removeProject.ts'
import { findByStaleness } from '../staleness/findByStaleness.ts'
import type { Inspect } from '../staleness/inspect.ts'
import type { StoredFeature, StoredProject } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'
import { pageOf } from './page.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly ids: Ids
  readonly inspect: Inspect
}

type Operations =
  | 'createProject'
  | 'listProjects'
  | 'getProject'
  | 'updateProject'
  | 'deleteProject'
  | 'updateProjectSettings'
  | 'updateProtectedSettings'
  | 'getStaleFeatures'

/** Keeps projects and what they switch on. */
export function projects({ store, edit, ids, inspect }: Dependencies): Pick<Handlers, Operations> {
  const show = async (project: StoredProject, caller: TokenCaller) => (await projectView(store, caller))(project)

  return {
    createProject: async ({ body }, caller) => {
      demand(caller, 'project:write')
      const project = await edit(caller, (change) => addProject(change, body, ids))
      return show(project, caller)
    },

    listProjects: async ({ query }, caller) => {
      const page = pageOf<StoredProject>(query, { _organization: caller.organization })
      const _id = await visibleProjects(store, caller, 'project:read')
      const { items, count } = await store.collection('projects').list({ ...page, oneOf: { _id } })
      return { items: items.map(await projectView(store, caller)), count }
    },

    getProject: async ({ params }, caller) => show(await findProject(store, params.key, caller), caller),

    updateProject: async ({ params, body }, caller) => {
      return show(
        await edit(caller, (change) =>
          update(change, params.key, body, body.settings ? ['project:write:settings'] : [])
        ),
        caller
      )
    },

    deleteProject: async ({ params }, caller) => {
      await forgetUsers(store, await edit(caller, (change) => remove(change, params.key)))
    },

    updateProjectSettings: async ({ params, body }, caller) => {
      const { featureApprovalWorkflow, staleness } = body.settings
      // What is protected does not become less so at another address.
      const takes = featureApprovalWorkflow || staleness ? (['project:write:settings'] as const) : []
      return show(await edit(caller, (change) => update(change, params.key, body, takes)), caller)
    },

    updateProtectedSettings: async ({ params, body }, caller) => {
      return show(await edit(caller, (change) => update(change, params.key, body)), caller)
    },

    getStaleFeatures: async ({ params, query: { includeSilenced = false, ...paging } }, caller) => {
      const project = await findProject(store, params.key, caller)
      const where = { _project: project._id, status: 'active' } as const
      const inspector = await inspect(store, project)
      const { items, count } = await findByStaleness(
        store,
        inspector,
        pageOf<StoredFeature>(paging, where, ['name', 'key', 'tags', 'description']),
        (finding, isSilenced) => finding !== undefined && (includeSilenced || !isSilenced)
      )
      const view = await featureView(store, async () => inspector, { project, caller, includeSilenced })
      return { items: await Promise.all(items.map(async (feature) => view(await readFeature(store, feature)))), count }
    }
  }
}

/** What there is to change of a project. */
type Changes = Omit<UpdateProject, 'settings'> & { readonly settings?: GivenSettings | undefined }

/** Changes a project; `takes` says what it takes beside the permission of the operation. */
async function update(
  change: Edit,
  reference: string,
  { settings, ...members }: Changes,
  takes: readonly Permission[] = []
): Promise<StoredProject> {
  const before = await findProject(change.store, reference, change.caller)
  for (const permission of takes) demand(change.caller, permission, before._id)
  demandOwner(change.caller, before, settings)
  await demandMapped(change.store, before, settings)
  const after = await replaceItem(
    change,
    { collection: 'projects', resource: 'Project', subject: { _project: before._id } },
    before,
    { ...before, ...given(members), settings: mergeSettings(before.settings, settings) }
  )
  if (after.settings.optIn.enabled && !before.settings.optIn.enabled) await openOptIns(change, after)
  return after
}

/** Where there are no administrators between publishers and owners, owners say whether features get stale. @throws {ApiError} 403 */
function demandOwner(caller: TokenCaller, { settings }: StoredProject, given: GivenSettings | undefined): void {
  const enabled = given && 'staleness' in given ? given.staleness?.enabled : undefined
  if (caller.access.mode !== 'basic' || enabled === undefined || enabled === settings.staleness.enabled) return
  demand(caller, 'organization:write:settings')
}

/** Removes a project; answers whose users are to be forgotten. */
async function remove({ store, caller, note }: Edit, reference: string): Promise<Gone> {
  const project = await findProject(store, reference, caller)
  const { _id: _project, _organization } = project
  const all = await store.collection('projects').list({ where: { _organization }, perPage: 1 })
  if (all.count === 1) throw notAllowed('Cannot DELETE last item')
  const environments = await store.collection('environments').list({ where: { _project } })
  await removeProject(store, project)
  // The entry is the organization's: those of the project are gone with it.
  note({}, [deleted('Project', project)])
  return { _project, _environments: environments.items.map(({ _id }) => _id) }
}

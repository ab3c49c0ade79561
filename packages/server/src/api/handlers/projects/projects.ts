import type { Permission } from '@burgee/contract'
import type { UpdateProject } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { deletedChange } from '../../../access/audit/changes.ts'
import type { Edit, EditRunner } from '../../../access/audit/edit.ts'
import { updateAudited } from '../../../access/audit/updateAudited.ts'
import { getProject } from '../../../access/lookup.ts'
import { assertPermission } from '../../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { listVisibleProjectIds } from '../../../access/permissions/listVisibleProjectIds.ts'
import { addOptInTargets } from '../../../flags/features/addOptInTargets.ts'
import { readFeatureState } from '../../../flags/features/readFeatureState.ts'
import { createFeatureSerializer } from '../../../flags/features/serializeFeature.ts'
import { addProject } from '../../../flags/projects/addProject.ts'
import { assertValidEnvironmentMap } from '../../../flags/projects/assertValidEnvironmentMap.ts'
import { deleteUserData, type RemovedIds } from '../../../flags/projects/deleteUserData.ts'
import { mergeSettings, type SettingsInput } from '../../../flags/projects/mergeSettings.ts'
import { createProjectSerializer } from '../../../flags/projects/projectSerializer.ts'
import { removeProject } from '../../../flags/projects/removeProject.ts'
import type { InspectProject } from '../../../insights/staleness/inspectProject.ts'
import { listByStaleness } from '../../../insights/staleness/listByStaleness.ts'
import { operationNotAllowed } from '../../../lib/errors.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import type { StoredFeature } from '../../../storage/resources/feature.ts'
import type { StoredProject } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { toListQuery } from '../shared/toListQuery.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly inspect: InspectProject
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

/** Handles projects and their settings. */
export function projects({ store, edit, ids, inspect }: Dependencies): Pick<Handlers, Operations> {
  const show = async (project: StoredProject, caller: TokenCaller) =>
    (await createProjectSerializer(store, caller))(project)

  return {
    createProject: async ({ body }, caller) => {
      assertPermission(caller, 'project:write')
      const project = await edit(caller, (change) => addProject(change, body, ids))
      return show(project, caller)
    },

    listProjects: async ({ query }, caller) => {
      const page = toListQuery<StoredProject>(query, { _organization: caller.organization })
      const _id = await listVisibleProjectIds(store, caller, 'project:read')
      const { items, count } = await store.collection('projects').list({ ...page, oneOf: { _id } })
      return { items: items.map(await createProjectSerializer(store, caller)), count }
    },

    getProject: async ({ params }, caller) => show(await getProject(store, params.key, caller), caller),

    updateProject: async ({ params, body }, caller) => {
      return show(
        await edit(caller, (change) =>
          update(change, params.key, body, body.settings ? ['project:write:settings'] : [])
        ),
        caller
      )
    },

    deleteProject: async ({ params }, caller) => {
      await deleteUserData(store, await edit(caller, (change) => remove(change, params.key)))
    },

    updateProjectSettings: async ({ params, body }, caller) => {
      const { featureApprovalWorkflow, overrides, staleness } = body.settings
      // Protected settings require their permission in this operation, too.
      const required = featureApprovalWorkflow || overrides || staleness ? (['project:write:settings'] as const) : []
      return show(await edit(caller, (change) => update(change, params.key, body, required)), caller)
    },

    updateProtectedSettings: async ({ params, body }, caller) => {
      return show(await edit(caller, (change) => update(change, params.key, body)), caller)
    },

    getStaleFeatures: async ({ params, query: { includeSilenced = false, ...paging } }, caller) => {
      const project = await getProject(store, params.key, caller)
      const where = { _project: project._id, status: 'active' } as const
      const inspector = await inspect(store, project)
      const { items, count } = await listByStaleness(
        store,
        inspector,
        toListQuery<StoredFeature>(paging, where, ['name', 'key', 'tags', 'description']),
        (finding, isSilenced) => finding !== undefined && (includeSilenced || !isSilenced)
      )
      const view = await createFeatureSerializer(store, async () => inspector, { project, caller, includeSilenced })
      return {
        items: await Promise.all(items.map(async (feature) => view(await readFeatureState(store, feature)))),
        count
      }
    }
  }
}

/** The members of a project that updates can change. */
type Changes = Omit<UpdateProject, 'settings'> & { readonly settings?: SettingsInput | undefined }

/** Updates a project. `required` lists permissions in addition to the operation's. */
async function update(
  change: Edit,
  reference: string,
  { settings, ...members }: Changes,
  required: readonly Permission[] = []
): Promise<StoredProject> {
  const before = await getProject(change.store, reference, change.caller)
  for (const permission of required) assertPermission(change.caller, permission, before._id)
  assertOwner(change.caller, before, settings)
  await assertValidEnvironmentMap(change.store, before, settings)
  const after = await updateAudited(
    change,
    { collection: 'projects', resource: 'Project', subject: { _project: before._id } },
    before,
    { ...before, ...omitUndefined(members), settings: mergeSettings(before.settings, settings) }
  )
  if (after.settings.optIn.enabled && !before.settings.optIn.enabled) await addOptInTargets(change, after)
  return after
}

/** In mode `basic`, which has no administrators, only owners switch staleness on or off. @throws {HttpError} 403 */
function assertOwner(caller: TokenCaller, { settings }: StoredProject, input: SettingsInput | undefined): void {
  const enabled = input && 'staleness' in input ? input.staleness?.enabled : undefined
  if (caller.access.mode !== 'basic' || enabled === undefined || enabled === settings.staleness.enabled) return
  assertPermission(caller, 'organization:write:settings')
}

/** Removes a project; returns the ids whose user data is to be deleted. */
async function remove({ store, caller, recordChanges }: Edit, reference: string): Promise<RemovedIds> {
  const project = await getProject(store, reference, caller)
  const { _id: _project, _organization } = project
  const all = await store.collection('projects').list({ where: { _organization }, perPage: 1 })
  if (all.count === 1) throw operationNotAllowed('Cannot DELETE last item')
  const environments = await store.collection('environments').list({ where: { _project } })
  await removeProject(store, project)
  // The entry belongs to the organization, since those of the project are removed.
  recordChanges({}, [deletedChange('Project', project)])
  return { _project, _environments: environments.items.map(({ _id }) => _id) }
}

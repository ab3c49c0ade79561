import type { EditRunner } from '../../../access/audit/edit.ts'
import { getProject } from '../../../access/lookup.ts'
import { assertPermission } from '../../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { listVisibleProjectIds } from '../../../access/permissions/listVisibleProjectIds.ts'
import { readFeatureState } from '../../../flags/features/readFeatureState.ts'
import { createFeatureSerializer } from '../../../flags/features/serializeFeature.ts'
import { addProject } from '../../../flags/projects/addProject.ts'
import { deleteProject } from '../../../flags/projects/deleteProject.ts'
import { deleteUserData } from '../../../flags/projects/deleteUserData.ts'
import { createProjectSerializer } from '../../../flags/projects/projectSerializer.ts'
import { type ProjectChanges, type projectUpdates, updateProject } from '../../../flags/projects/updateProject.ts'
import type { InspectProject } from '../../../insights/staleness/inspectProject.ts'
import { listByStaleness } from '../../../insights/staleness/listByStaleness.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import type { StoredFeature } from '../../../storage/resources/feature.ts'
import type { StoredProject } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers, IfMatch } from '../shared/handler.ts'
import { assertIfMatch, withRevision } from '../shared/revised.ts'
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
    withRevision(project, (await createProjectSerializer(store, caller))(project))
  const update = async (
    { params, headers, body }: ProjectRequest,
    caller: TokenCaller,
    by: keyof typeof projectUpdates
  ) => {
    const updated = edit(caller, async (change) => {
      const before = await getProject(change.store, params.key, caller)
      await assertIfMatch(change, before, headers, 'project:read')
      return updateProject(change, before, body, { by })
    })
    return show(await updated, caller)
  }

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

    updateProject: (request, caller) => update(request, caller, 'updateProject'),

    deleteProject: async ({ params, headers }, caller) => {
      const removed = await edit(caller, async (change) => {
        const project = await getProject(change.store, params.key, caller)
        await assertIfMatch(change, project, headers, 'project:read')
        return deleteProject(change, project)
      })
      await deleteUserData(store, removed)
    },

    updateProjectSettings: (request, caller) => update(request, caller, 'updateProjectSettings'),

    updateProtectedSettings: (request, caller) => update(request, caller, 'updateProtectedSettings'),

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

/** A request that changes a project. */
interface ProjectRequest {
  readonly params: { readonly key: string }
  readonly headers: IfMatch
  readonly body: ProjectChanges
}

import { getProject, listEnvironmentIds } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { serverCaller } from '../../../access/permissions/serverCaller.ts'
import { type EraseDependencies, eraseUser } from '../../../flags/applicationUsers/eraseUser.ts'
import { exportUser } from '../../../flags/applicationUsers/exportUser.ts'
import { listRemovedEnvironmentIds } from '../../../flags/environments/listRemovedEnvironmentIds.ts'
import type { EventStore } from '../../../storage/events/eventStore.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies extends EraseDependencies {
  readonly eventStore: EventStore
}

/** Handles the export and the erasure of users of applications. */
export function userData(
  dependencies: Dependencies
): Pick<Handlers, 'exportUserData' | 'eraseUserData' | 'deleteEdgeUser'> {
  const { store, recorder } = dependencies
  const findScope = async (params: { readonly project: string; readonly user_id: string }, caller: TokenCaller) => {
    const project = await getProject(store, params.project, caller)
    const current = await listEnvironmentIds(store, project, undefined)
    const environments = [...current, ...(await listRemovedEnvironmentIds(store, project))]
    return { _project: project._id, environments, user_id: params.user_id }
  }

  return {
    exportUserData: async ({ params }, caller) => {
      const scope = await findScope(params, caller)
      await recorder.flush({ withUsers: true })
      return exportUser(dependencies, scope, caller.organization)
    },

    eraseUserData: async ({ params }, caller) => eraseUser(dependencies, await findScope(params, caller), caller),

    // A server key has no person: its entry names the server, the environment, the hash of the user, and the address.
    deleteEdgeUser: ({ params: { user_id } }, { project, environment }, { from: { address } }) => {
      const scope = { _project: project._id, environments: [environment._id], user_id }
      return eraseUser(dependencies, scope, { ...serverCaller(project._organization), address })
    }
  }
}

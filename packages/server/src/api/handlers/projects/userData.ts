import { getProject, listEnvironmentIds } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { serverCaller } from '../../../access/permissions/serverCaller.ts'
import { type EraseDependencies, eraseUser } from '../../../flags/applicationUsers/eraseUser.ts'
import { exportUser } from '../../../flags/applicationUsers/exportUser.ts'
import { createUserDataQueue } from '../../../flags/applicationUsers/userDataQueue.ts'
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
  const queue = createUserDataQueue()
  const findScope = async (params: { readonly project: string; readonly user_id: string }, caller: TokenCaller) => {
    const project = await getProject(store, params.project, caller)
    const current = await listEnvironmentIds(store, project, undefined)
    const environments = [...current, ...(await listRemovedEnvironmentIds(store, project))]
    return { _project: project._id, environments, user_id: params.user_id }
  }

  return {
    exportUserData: async ({ params }, caller, connection) => {
      const scope = await findScope(params, caller)
      await queue.beginExport({ ...connection, id: caller.id })
      await recorder.flush({ withUsers: true })
      const isWanted = () => !connection.isGone()
      return exportUser(dependencies, { ...scope, isWanted }, caller.organization)
    },

    eraseUserData: async ({ params }, caller, connection) => {
      const scope = await findScope(params, caller)
      return queue.runErasure({ ...connection, id: caller.id }, () => eraseUser(dependencies, scope, caller))
    },

    // A server key has no person: its entry names the server, the environment, the hash of the user, and the address.
    deleteEdgeUser: ({ params: { user_id } }, { project, environment }, connection) => {
      const scope = { _project: project._id, environments: [environment._id], user_id }
      const caller = { ...serverCaller(project._organization), address: connection.from.address }
      const requester = { ...connection, id: `environment ${environment._id}` }
      return queue.runErasure(requester, () => eraseUser(dependencies, scope, caller))
    }
  }
}

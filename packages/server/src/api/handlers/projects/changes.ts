import { getProject } from '../../../access/lookup.ts'
import type { ChangeStreams } from '../../../delivery/changes/changeStreams.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly changeStreams: Pick<ChangeStreams, 'open'>
}

/** Handler of the stream of changes of a project. */
export function changes({ store, changeStreams }: Dependencies): Pick<Handlers, 'streamChanges'> {
  return {
    streamChanges: async ({ params }, caller, { reauthenticate }) => {
      const { _id: project } = await getProject(store, params.project, caller)
      return changeStreams.open({ project, caller, reauthenticate })
    }
  }
}

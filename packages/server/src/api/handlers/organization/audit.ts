import type { EditRunner } from '../../../access/audit/edit.ts'
import { listAuditEntries } from '../../../access/audit/listAuditEntries.ts'
import { getInProject, getProject } from '../../../access/lookup.ts'
import { authorizeChange } from '../../../flags/features/authorizeChange.ts'
import { getAddressedFeature } from '../../../flags/features/getAddressedFeature.ts'
import { revertFeature } from '../../../flags/features/revertFeature.ts'
import { killFeature } from '../../../flags/features/rules/killFeature.ts'
import type { FeatureUpdater } from '../../../flags/features/rules/model/featureCommand.ts'
import { serializeFeature } from '../../../flags/features/serializeFeature.ts'
import { updateFeatureAt } from '../../../flags/features/updateFeature.ts'
import type { InspectProject } from '../../../insights/staleness/inspectProject.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../kit/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly inspect: InspectProject
}

/** Handlers of the audit log of a feature, of reverting to an entry, and of the kill switch. */
export function audit({
  store,
  edit,
  inspect
}: Dependencies): Pick<Handlers, 'getFeatureAudit' | 'revertFeature' | 'killFeature'> {
  return {
    getFeatureAudit: async ({ params, query }, caller) => {
      const project = await getProject(store, params.project, caller)
      const { _id: _feature } = await getInProject(store, 'features', project, params.feature, caller)
      const { environment: reference } = query
      const environment =
        reference === undefined ? undefined : await getInProject(store, 'environments', project, reference, caller)
      return listAuditEntries(store, { _feature }, query, { _environment: environment?._id })
    },

    revertFeature: async ({ params }, caller) => {
      const reverted = await edit(caller, (change) => {
        const rule: FeatureUpdater = (state) => revertFeature(change.store, state, params.entry)
        return updateFeatureAt(change, params, { update: rule })
      })
      return serializeFeature(store, inspect, reverted)
    },

    killFeature: async ({ params }, caller) => {
      const killed = await edit(caller, async (change) => {
        // The kill switch needs no approval.
        const { project, state } = await getAddressedFeature(change.store, params, caller)
        return { project, caller, state: await authorizeChange(change, state, killFeature(state)) }
      })
      return serializeFeature(store, inspect, killed)
    }
  }
}

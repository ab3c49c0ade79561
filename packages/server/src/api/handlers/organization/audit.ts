import type { EditRunner } from '../../../access/audit/edit.ts'
import { listAuditEntries } from '../../../access/audit/listAuditEntries.ts'
import { getFeature, getInProject, getProject } from '../../../access/lookup.ts'
import { canSeePersonalData } from '../../../access/permissions/personalData.ts'
import { killFeature } from '../../../flags/features/killFeature.ts'
import { revertFeature } from '../../../flags/features/revertFeature.ts'
import type { FeatureUpdater } from '../../../flags/features/rules/model/featureCommand.ts'
import { updateFeatureAt } from '../../../flags/features/updateFeature.ts'
import type { InspectProject } from '../../../insights/staleness/inspectProject.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { serializeRevised } from '../shared/serializeRevised.ts'
import { withDryRun } from '../shared/withDryRun.ts'

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
      return listAuditEntries(store, { _feature }, query, {
        _environment: environment?._id,
        hasPersonalData: canSeePersonalData(caller)
      })
    },

    revertFeature: async ({ params, query }, caller) => {
      const reverted = await withDryRun(edit, query.dryRun)(caller, (change) => {
        const update: FeatureUpdater = (state, { environments }) =>
          revertFeature(change.store, state, { entryId: params.entry, environments })
        return updateFeatureAt(change, params, { update })
      })
      return serializeRevised(store, inspect, reverted)
    },

    killFeature: async ({ params, body }, caller) => {
      const killed = await edit(caller, async (change) =>
        killFeature(change, { ...(await getFeature(change.store, params, caller)), reason: body?.reason })
      )
      return serializeRevised(store, inspect, killed)
    }
  }
}

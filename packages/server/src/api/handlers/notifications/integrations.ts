import type { EditRunner } from '../../../access/audit/edit.ts'
import { getProject } from '../../../access/lookup.ts'
import type { ValidateOutboundUrl } from '../../../integrations/assertCallableUrl.ts'
import {
  connectIssueTracker,
  disconnectIssueTracker,
  listIssueTrackers
} from '../../../integrations/issueTrackers/issueTrackers.ts'
import {
  connectObservability,
  disconnectObservability,
  listObservabilityIntegrations
} from '../../../integrations/observability/observabilityIntegrations.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly validateOutboundUrl: ValidateOutboundUrl
}

type Operations =
  | 'updateObservabilityIntegration'
  | 'getObservabilityIntegrations'
  | 'deleteObservabilityIntegration'
  | 'listIssueTrackers'
  | 'connectIssueTrackerOrganization'
  | 'connectIssueTrackerProject'
  | 'deleteIssueTrackerOrganization'
  | 'deleteIssueTrackerProject'
  | 'deleteIssueTracker'

/** Handlers of the connections with observability systems and issue trackers. */
export function integrations({ store, edit, validateOutboundUrl }: Dependencies): Pick<Handlers, Operations> {
  return {
    updateObservabilityIntegration: ({ body }, caller) =>
      edit(caller, (change) => connectObservability(change, body, validateOutboundUrl)),

    getObservabilityIntegrations: (_, caller) => listObservabilityIntegrations(store, caller),

    deleteObservabilityIntegration: ({ params }, caller) =>
      edit(caller, (change) => disconnectObservability(change, params.observabilityEnvironmentId)),

    listIssueTrackers: (_, caller) => listIssueTrackers(store, caller),

    connectIssueTrackerOrganization: ({ params, body: { baseUrl } }, caller) =>
      edit(caller, (change) => connectIssueTracker(change, params, { baseUrl })),

    connectIssueTrackerProject: ({ params, body: { baseUrl, project } }, caller) =>
      edit(caller, async (change) => {
        const { _id: _project } = await getProject(change.store, project, caller)
        await connectIssueTracker(change, params, { baseUrl, _project })
      }),

    deleteIssueTrackerOrganization: ({ params }, caller) =>
      edit(caller, (change) => disconnectIssueTracker(change, params, ({ _project }) => _project === undefined)),

    deleteIssueTrackerProject: ({ params }, caller) =>
      edit(caller, (change) => disconnectIssueTracker(change, params, ({ _project }) => _project !== undefined)),

    deleteIssueTracker: ({ params }, caller) => edit(caller, (change) => disconnectIssueTracker(change, params))
  }
}

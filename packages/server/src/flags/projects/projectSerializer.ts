import type { Project } from '@burgee/contract/schemas'
import { createdBy } from '../../access/createdBy.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'

/** Creates a serializer of projects for a caller, which reads the issue trackers once. */
export async function createProjectSerializer(
  store: Store,
  caller: TokenCaller
): Promise<(project: StoredProject) => Project> {
  const where = { _organization: caller.organization }
  const { items: trackers } = await store.collection('issueTrackers').list({ where })
  const { items: scans } = await store.collection('codeScans').list()
  const scanned = new Set(scans.map(({ _project }) => _project))
  return (project) => {
    const own = trackers.find(({ _project }) => _project === project._id)
    const tracker = own ?? trackers.find(({ _project }) => _project === undefined)
    return {
      ...project,
      _createdBy: createdBy(project),
      hasIssueTrackerIntegration: tracker !== undefined,
      issueTrackerBaseUrl: tracker?.baseUrl ?? '',
      hasReceivedCodeUsages: scanned.has(project._id),
      // The server does not record it.
      hasUserConfigFetch: false,
      readonly: !caller.access.allows('project:write', project._id)
    }
  }
}

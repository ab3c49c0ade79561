import type { AuditLogChange } from '@burgee/contract/schemas'
import { createdChange, deletedChange, modifiedChanges } from '../../../access/audit/changes.ts'
import type { Edit, EditRunner, EditScope } from '../../../access/audit/edit.ts'
import { maskUrlInChanges } from '../../../access/audit/maskUrlInChanges.ts'
import { getProject } from '../../../access/lookup.ts'
import { listVisibleProjectIds } from '../../../access/permissions/listVisibleProjectIds.ts'
import { createProjectSerializer } from '../../../flags/projects/projectSerializer.ts'
import { badRequest, conflict, itemNotFound } from '../../../lib/errors.ts'
import { isMaskedUrl, maskSecret, maskUrl } from '../../../lib/mask.ts'
import type { StoredIssueTracker, StoredObservabilityEnvironment } from '../../../storage/resources.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../kit/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  /** Returns why the server would never call a URL, if it can tell without a request. */
  readonly validateOutboundUrl: (url: string) => string | undefined
}

type Operations =
  | 'updateObservabilityIntegration'
  | 'getObservabilityIntegrations'
  | 'deleteObservabilityIntegration'
  | 'connectIssueTrackerOrganization'
  | 'connectIssueTrackerProject'
  | 'deleteIssueTrackerOrganization'
  | 'deleteIssueTrackerProject'
  | 'deleteIssueTracker'

/** Handlers of the connections with observability systems and issue trackers. */
export function integrations({ store, edit, validateOutboundUrl }: Dependencies): Pick<Handlers, Operations> {
  return {
    updateObservabilityIntegration: ({ body }, caller) =>
      edit(caller, async ({ store, recordFields, at, recordChanges }) => {
        const { observabilityEnvironmentId, environmentUrl } = body
        if (isMaskedUrl(environmentUrl)) {
          throw badRequest('environmentUrl should be the complete URL, got one with masked secrets')
        }
        const issue = validateOutboundUrl(environmentUrl)
        if (issue) throw badRequest(`environmentUrl should be an address that the server can call: ${issue}`)
        if (/[?#]/.test(environmentUrl)) throw badRequest('environmentUrl should have no query and no fragment')
        // Header values allow no other characters.
        if (!/^[ -~]+$/.test(body.accessToken)) {
          throw badRequest('accessToken should consist of printable ASCII characters')
        }
        const environments = store.collection('observabilityEnvironments')
        const where = { _organization: caller.organization, observabilityEnvironmentId }
        const before = await environments.get(where)
        if (before) {
          const after = { ...before, ...body, updatedAt: at }
          await environments.update(before._id, after)
          recordChanges({}, [
            ...withoutSecrets(modifiedChanges('ObservabilityIntegration', before, after)),
            ...tokenChanges(before, after)
          ])
        } else {
          const environment = await environments.insert({ ...recordFields(), ...where, ...body })
          recordChanges({}, withoutSecrets([createdChange('ObservabilityIntegration', environment)]))
        }
      }),

    getObservabilityIntegrations: async (_, caller) => {
      const where = { _organization: caller.organization }
      const { items } = await store.collection('observabilityEnvironments').list({ where, sortBy: 'createdAt' })
      const _id = await listVisibleProjectIds(store, caller, 'project:read')
      const projects = await store.collection('projects').list({ where, oneOf: { _id }, sortBy: 'createdAt' })
      const show = await createProjectSerializer(store, caller)
      const isWriter = caller.access.allows('organization:write:settings')
      const environments = items.map(({ observabilityEnvironmentId, accessToken, environmentUrl }) => {
        const reporting = projects.items.filter(({ settings }) => {
          return Object.values(settings.observability.environmentMap).includes(observabilityEnvironmentId)
        })
        return {
          observabilityEnvironmentId,
          accessToken: maskSecret(accessToken),
          environmentUrl: isWriter ? environmentUrl : maskUrl(environmentUrl),
          projects: reporting.map(show)
        }
      })
      return { environments }
    },

    deleteObservabilityIntegration: ({ params: { observabilityEnvironmentId } }, caller) =>
      edit(caller, async ({ store, recordChanges }) => {
        const environments = store.collection('observabilityEnvironments')
        const where = { _organization: caller.organization, observabilityEnvironmentId }
        const environment = await environments.get(where)
        if (!environment) throw itemNotFound('observability integration', observabilityEnvironmentId)
        await environments.remove(environment._id)
        recordChanges({}, withoutSecrets([deletedChange('ObservabilityIntegration', environment)]))
      }),

    connectIssueTrackerOrganization: ({ params, body: { baseUrl } }, caller) =>
      edit(caller, (change) => connect(change, { ...connectionOf(params), baseUrl })),

    connectIssueTrackerProject: ({ params, body: { baseUrl, project } }, caller) =>
      edit(caller, async (change) => {
        const { _id: _project } = await getProject(change.store, project, caller)
        await connect(change, { ...connectionOf(params), baseUrl, _project })
      }),

    deleteIssueTrackerOrganization: ({ params }, caller) =>
      edit(caller, (change) => disconnect(change, params, ({ _project }) => _project === undefined)),

    deleteIssueTrackerProject: ({ params }, caller) =>
      edit(caller, (change) => disconnect(change, params, ({ _project }) => _project !== undefined)),

    deleteIssueTracker: ({ params }, caller) => edit(caller, (change) => disconnect(change, params, () => true))
  }
}

/** Masks the URL, whose path can contain a secret. */
function withoutSecrets(changes: readonly AuditLogChange[]): AuditLogChange[] {
  return maskUrlInChanges(changes, 'environmentUrl')
}

/** Records that a token changed, without its value. */
function tokenChanges(
  before: StoredObservabilityEnvironment,
  after: StoredObservabilityEnvironment
): readonly AuditLogChange[] {
  if (before.accessToken === after.accessToken) return []
  const contents = ({ observabilityEnvironmentId, accessToken }: StoredObservabilityEnvironment) => {
    return { observabilityEnvironmentId, accessToken: maskSecret(accessToken) }
  }
  return [
    { type: 'modifiedObservabilityIntegration', newContents: contents(after), previousContents: contents(before) }
  ]
}

/** The path parameters of a connection with an issue tracker. */
interface Address {
  readonly issue_tracker: string
  readonly token: string
}

type Connection = Pick<StoredIssueTracker, 'tracker' | 'token' | 'baseUrl' | '_project'>

function connectionOf({ issue_tracker, token }: Address): Pick<Connection, 'tracker' | 'token'> {
  return { tracker: issue_tracker, token }
}

async function connect(
  { store, caller, recordFields, at, recordChanges }: Edit,
  connection: Connection
): Promise<void> {
  const { tracker, token, baseUrl, _project } = connection
  const trackers = store.collection('issueTrackers')
  const before = await trackers.get({ tracker, token })
  if (!before) {
    const inserted = await trackers.insert({ ...recordFields(), ...connection, _organization: caller.organization })
    return recordChanges(scopeOf(inserted), [createdChange('IssueTracker', maskToken(inserted))])
  }
  // The target of a token cannot change: the deprecated operations distinguish connections by it.
  if (before._organization !== caller.organization || before._project !== _project) {
    const message = `it already belongs to another ${tracker} connection; delete that one, or use another token`
    throw conflict(`Duplicate token '${maskSecret(token)}': ${message}`)
  }
  const after = { ...before, baseUrl, updatedAt: at }
  await trackers.update(before._id, after)
  recordChanges(scopeOf(after), modifiedChanges('IssueTracker', maskToken(before), maskToken(after)))
}

async function disconnect(
  { store, caller, recordChanges }: Edit,
  { issue_tracker: tracker, token }: Address,
  matches: (connection: StoredIssueTracker) => boolean
): Promise<void> {
  const trackers = store.collection('issueTrackers')
  const connection = await trackers.get({ tracker, token, _organization: caller.organization })
  if (!connection || !matches(connection)) throw itemNotFound('issue tracker connection', maskSecret(token))
  await trackers.remove(connection._id)
  recordChanges(scopeOf(connection), [deletedChange('IssueTracker', maskToken(connection))])
}

function scopeOf({ _project }: StoredIssueTracker): EditScope {
  return _project === undefined ? {} : { _project }
}

function maskToken({ token, ...connection }: StoredIssueTracker): StoredIssueTracker {
  return { ...connection, token: maskSecret(token) }
}

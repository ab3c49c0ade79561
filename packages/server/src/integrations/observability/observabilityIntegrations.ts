import type { AuditLogChange, ObservabilityIntegration, ObservabilityIntegrations } from '@burgee/contract/schemas'
import { maskUrl } from '@burgee/kit/text'
import { createdChange, deletedChange, modifiedChanges } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import { maskUrlInChanges } from '../../access/audit/maskUrlInChanges.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { listVisibleProjectIds } from '../../access/permissions/listVisibleProjectIds.ts'
import { createProjectSerializer } from '../../flags/projects/projectSerializer.ts'
import { forbidden, itemNotFound } from '../../lib/errors.ts'
import { maskSecret } from '../../lib/secrets/mask.ts'
import type { StoredObservabilityEnvironment } from '../../storage/resources/integration.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { assertCallableUrl, type ValidateOutboundUrl } from '../assertCallableUrl.ts'

/**
 * Connects an environment of an observability system, or changes the connection.
 * @throws {HttpError} 400 if the server cannot call its URL, 403 if projects that the caller cannot read report to it.
 */
export async function connectObservability(
  { store, caller, recordFields, at, recordChanges }: Edit,
  integration: ObservabilityIntegration,
  validateOutboundUrl: ValidateOutboundUrl
): Promise<void> {
  const { observabilityEnvironmentId, environmentUrl } = integration
  assertCallableUrl('environmentUrl', environmentUrl, validateOutboundUrl)
  await assertMayReadReports(store, caller, observabilityEnvironmentId)
  const environments = store.collection('observabilityEnvironments')
  const where = { _organization: caller.organization, observabilityEnvironmentId }
  const before = await environments.get(where)
  if (!before) {
    const environment = await environments.insert({ ...recordFields(), ...where, ...integration })
    return recordChanges({}, maskUrls([createdChange('ObservabilityIntegration', environment)]))
  }
  const after = { ...before, ...integration, updatedAt: at }
  await environments.update(before._id, after)
  const changes = maskUrls(modifiedChanges('ObservabilityIntegration', before, after))
  recordChanges({}, [...changes, ...tokenChanges(before, after)])
}

/** Asserts that the caller can read the projects whose changes go to an environment. @throws {HttpError} 403 */
async function assertMayReadReports(store: Store, caller: TokenCaller, environment: string): Promise<void> {
  const where = { _organization: caller.organization }
  const { items } = await store.collection('projects').list({ where })
  const reporting = items.filter(({ settings }) => reportsTo(settings, environment))
  if (reporting.every(({ _id }) => caller.access.allows('feature:read', _id))) return
  throw forbidden(
    `connecting "${environment}" requires the permission feature:read in every project whose changes go to it`
  )
}

function reportsTo({ observability }: StoredProject['settings'], environment: string): boolean {
  return Object.values(observability.environmentMap).includes(environment)
}

/** Lists the connected environments with the projects that report to them and that the caller can see. */
export async function listObservabilityIntegrations(
  store: Store,
  caller: TokenCaller
): Promise<ObservabilityIntegrations> {
  const where = { _organization: caller.organization }
  const { items } = await store.collection('observabilityEnvironments').list({ where, sortBy: 'createdAt' })
  const _id = await listVisibleProjectIds(store, caller, 'project:read')
  const projects = await store.collection('projects').list({ where, oneOf: { _id }, sortBy: 'createdAt' })
  const show = await createProjectSerializer(store, caller)
  const isWriter = caller.access.allows('organization:write:settings')
  const environments = items.map(({ observabilityEnvironmentId, accessToken, environmentUrl }) => {
    const reporting = projects.items.filter(({ settings }) => reportsTo(settings, observabilityEnvironmentId))
    return {
      observabilityEnvironmentId,
      accessToken: maskSecret(accessToken),
      environmentUrl: isWriter ? environmentUrl : maskUrl(environmentUrl),
      projects: reporting.map(show)
    }
  })
  return { environments }
}

/** Removes the connection with an environment. @throws {HttpError} 404 */
export async function disconnectObservability(
  { store, caller, recordChanges }: Edit,
  observabilityEnvironmentId: string
): Promise<void> {
  const environments = store.collection('observabilityEnvironments')
  const where = { _organization: caller.organization, observabilityEnvironmentId }
  const environment = await environments.get(where)
  if (!environment) throw itemNotFound('observability integration', observabilityEnvironmentId)
  await environments.remove(environment._id)
  recordChanges({}, maskUrls([deletedChange('ObservabilityIntegration', environment)]))
}

/** Masks the URL, whose path can contain a secret. */
function maskUrls(changes: readonly AuditLogChange[]): AuditLogChange[] {
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

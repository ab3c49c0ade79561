import { revisionOf } from '@burgee/contract/client'
import type { Project, UpdateProjectSettings } from '@burgee/contract/schemas'
import { withValue } from '../../document/members.ts'
import type { Resource } from '../../document/projectDocument.ts'
import type { Session } from '../../run/session.ts'
import { needsApproval, type WrappedRequest } from '../approvals.ts'
import type { ResourceChange } from '../createPlan.ts'

/** Returns the settings of a project as files describe them. */
export function toSettings({ settings }: Pick<Project, 'settings'>): Resource {
  const { observability: _, featureApprovalWorkflow, staleness, trustClientWrites, overrides, ...others } = settings
  const { lastNotification: __, ...email } = staleness.email
  return {
    ...others,
    trustClientWrites: trustClientWrites ?? false,
    featureApprovalWorkflow: { requiredApprovals: 1, allowEmergency: true, ...featureApprovalWorkflow },
    overrides: overrides ?? { protectedPermission: 'publish' },
    staleness: { ...staleness, email }
  }
}

/** Reads the settings of a project. @throws {ApiError} */
export async function readSettings({ client }: Pick<Session, 'client'>, key: string) {
  const project = await client.getProject({ params: { key } })
  return { project, resource: toSettings(project), revision: revisionOf(project) }
}

/**
 * Changes settings of a project in one request. Returns the request if it needs approval. @throws {ApiError}
 */
export async function updateSettings(
  { members }: ResourceChange,
  { client }: Pick<Session, 'client'>,
  key: string
): Promise<WrappedRequest | undefined> {
  const { project, revision } = await readSettings({ client }, key)
  const changed = members.reduce<Resource>((part, { path, after }) => withValue(part, path, after), {})
  const { disablePassthroughRollouts } = project.settings
  // The operation requires this member; omitted ones keep their values.
  const body = { settings: { disablePassthroughRollouts, ...changed } } as UpdateProjectSettings
  try {
    const condition = revision === undefined ? {} : { headers: { 'if-match': revision } }
    await client.updateProjectSettings({ params: { key }, ...condition, body })
    return undefined
  } catch (error) {
    if (!needsApproval(error)) throw error
    return { path: `/v1/projects/${key}/settings`, body }
  }
}

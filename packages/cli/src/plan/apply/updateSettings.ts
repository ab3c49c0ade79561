import type { UpdateProjectSettings } from '@burgee/contract/schemas'
import { withValue } from '../../document/members.ts'
import type { Resource } from '../../document/projectDocument.ts'
import { ifRevision } from '../../run/ifRevision.ts'
import type { Session } from '../../run/session.ts'
import type { ResourceChange } from '../difference/createPlan.ts'
import { readSettings } from '../project/projectSettings.ts'
import { needsApproval, type WrappedRequest } from './approvals.ts'

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
    await client.updateProjectSettings({ params: { key }, ...ifRevision(revision), body })
    return undefined
  } catch (error) {
    if (!needsApproval(error)) throw error
    return { path: `/v1/projects/${key}/settings`, body }
  }
}

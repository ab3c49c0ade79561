import { revisionOf } from '@burgee/contract/client'
import { approvalSettings } from '@burgee/contract/rules'
import type { Project } from '@burgee/contract/schemas'
import type { Resource } from '../../document/projectDocument.ts'
import type { Session } from '../../run/session.ts'

/** Returns the settings of a project as files describe them. */
export function toSettings({ settings }: Pick<Project, 'settings'>): Resource {
  const { observability: _, featureApprovalWorkflow, staleness, trustClientWrites, overrides, ...others } = settings
  const { lastNotification: __, ...email } = staleness.email
  return {
    ...others,
    trustClientWrites: trustClientWrites ?? false,
    featureApprovalWorkflow: approvalSettings(featureApprovalWorkflow),
    overrides: overrides ?? { protectedPermission: 'publish' },
    staleness: { ...staleness, email }
  }
}

/** Reads the settings of a project. @throws {ApiError} */
export async function readSettings({ client }: Pick<Session, 'client'>, key: string) {
  const project = await client.getProject({ params: { key } })
  return { project, resource: toSettings(project), revision: revisionOf(project) }
}

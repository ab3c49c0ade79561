import type { ProjectSettings } from '../schema/projects/project.ts'

type Workflow = ProjectSettings['featureApprovalWorkflow']

/** The settings for approvals that can be omitted. */
type OptionalSettings = Pick<Workflow, 'requiredApprovals' | 'allowEmergency'>

/** Returns the settings of a project for approvals, with the defaults of those that are omitted. */
export function approvalSettings<Given extends OptionalSettings>(
  workflow: Given
): Given & Required<Readonly<OptionalSettings>> {
  return { requiredApprovals: 1, allowEmergency: true, ...workflow }
}

import type { Project } from '@burgee/contract/schemas'

/** Whether changes of the features of a project need somebody's approval: of everybody's, or of those who may not publish. */
export function approvalOf({ settings }: Pick<Project, 'settings'>): 'none' | 'some' | 'all' {
  const { enabled, allowPublisherBypass } = settings.featureApprovalWorkflow
  if (!enabled) return 'none'
  return allowPublisherBypass ? 'some' : 'all'
}

/** What a question says of it beforehand, as the end of a summary. */
export function approvalNote(project: Pick<Project, 'settings'>, what = 'It'): string {
  const consequence = 'becomes a change request: nothing is different before somebody else approves it.'
  const approval = approvalOf(project)
  if (approval === 'none') return ''
  return approval === 'all'
    ? ` ${what} ${consequence}`
    : ` Unless the person may publish without approval, ${what.toLowerCase()} ${consequence}`
}

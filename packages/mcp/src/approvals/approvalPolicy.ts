import type { Project } from '@burgee/contract/schemas'

/** Whose changes of features require approval: those of `all` members, or of `some`, who lack the permission to publish. */
export function approvalPolicy({ settings }: Pick<Project, 'settings'>): 'none' | 'some' | 'all' {
  const { enabled, allowPublisherBypass } = settings.featureApprovalWorkflow
  if (!enabled) return 'none'
  return allowPublisherBypass ? 'some' : 'all'
}

/** The end of a summary where changes may become change requests. */
export function approvalNote(project: Pick<Project, 'settings'>, what = 'It'): string {
  const consequence = 'becomes a change request, and takes effect only after another person approves it.'
  const approval = approvalPolicy(project)
  if (approval === 'none') return ''
  return approval === 'all'
    ? ` ${what} ${consequence}`
    : ` Unless the person can publish without approval, ${what.toLowerCase()} ${consequence}`
}

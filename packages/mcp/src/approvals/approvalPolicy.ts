import { approvalSettings } from '@burgee/contract/rules'
import type { Project } from '@burgee/contract/schemas'

/** Which members need approval for changes of features: `all`, or `some`, namely those without permission to publish. */
export function approvalPolicy({ settings }: Pick<Project, 'settings'>): 'none' | 'some' | 'all' {
  const { enabled, allowPublisherBypass } = settings.featureApprovalWorkflow
  if (!enabled) return 'none'
  return allowPublisherBypass ? 'some' : 'all'
}

/** Describes the reviews that a change request needs. */
export function neededReviews({ settings }: Pick<Project, 'settings'>): string {
  const { requiredApprovals } = approvalSettings(settings.featureApprovalWorkflow)
  return requiredApprovals === 1 ? 'a review by another person' : `reviews by ${requiredApprovals} other people`
}

/** Returns the note that ends a summary if the change may become a change request. */
export function approvalNote(project: Pick<Project, 'settings'>, subject = 'it'): string {
  const { requiredApprovals } = approvalSettings(project.settings.featureApprovalWorkflow)
  const approvers = requiredApprovals === 1 ? 'another person approves' : `${requiredApprovals} other people approve`
  const consequence = `becomes a change request, and takes effect only after ${approvers} it.`
  const approval = approvalPolicy(project)
  if (approval === 'none') return ''
  return approval === 'all'
    ? ` ${subject.charAt(0).toUpperCase()}${subject.slice(1)} ${consequence}`
    : ` Unless the person can publish without approval, ${subject} ${consequence}`
}

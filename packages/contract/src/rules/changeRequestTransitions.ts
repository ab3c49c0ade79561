import type { ChangeRequest } from '../schema/projects/changeRequest.ts'

type Status = ChangeRequest['status']

/** An action on a change request. */
export type ChangeRequestAction =
  | 'submit'
  | 'approve'
  | 'approve in part'
  | 'approve later'
  | 'reject'
  | 'apply'
  | 'apply in an emergency'
  | 'cancel'
  | 'edit'
  | 'rebase'
  | 'schedule'

/**
 * Who may take an action. `publisher` has `feature:publish` and the permissions of the requested change.
 * `other publisher` excludes the person who made the request, directly or through a client, and that person's clients.
 */
export type ChangeRequestActor = 'creator' | 'publisher' | 'other publisher' | 'bypassing publisher'

/** An action that the status of a change request allows. */
export interface ChangeRequestTransition {
  readonly from: readonly Status[]
  readonly action: ChangeRequestAction
  readonly by: readonly ChangeRequestActor[]
  readonly to: Status
}

/** All transitions of change requests (docs/reference/management.md, Change requests). */
export const changeRequestTransitions: readonly ChangeRequestTransition[] = [
  { from: ['draft'], action: 'submit', by: ['creator'], to: 'pending' },
  { from: ['pending'], action: 'approve', by: ['other publisher', 'bypassing publisher'], to: 'approved' },
  // Further approvals are required.
  { from: ['pending'], action: 'approve in part', by: ['other publisher', 'bypassing publisher'], to: 'pending' },
  { from: ['pending'], action: 'reject', by: ['publisher'], to: 'rejected' },
  { from: ['approved'], action: 'apply', by: ['publisher', 'creator'], to: 'applied' },
  { from: ['draft', 'pending'], action: 'apply', by: ['bypassing publisher'], to: 'applied' },
  { from: ['draft', 'pending', 'approved'], action: 'apply in an emergency', by: ['publisher'], to: 'applied' },
  // After an emergency.
  { from: ['applied'], action: 'approve later', by: ['other publisher'], to: 'applied' },
  { from: ['draft', 'pending', 'approved'], action: 'cancel', by: ['creator', 'publisher'], to: 'cancelled' },
  { from: ['draft', 'pending', 'approved'], action: 'edit', by: ['creator'], to: 'draft' },
  { from: ['draft', 'pending', 'approved'], action: 'rebase', by: ['creator'], to: 'draft' },
  { from: ['approved'], action: 'schedule', by: ['publisher', 'creator'], to: 'approved' }
]

/** Finds the transition of an action from a status. */
export function findTransition(action: ChangeRequestAction, status: Status): ChangeRequestTransition | undefined {
  return changeRequestTransitions.find((known) => known.action === action && known.from.includes(status))
}

/** The facts about a person that decide which actions they may take. */
export interface ActorFacts {
  readonly isCreator: boolean
  /** Whether the person made the request, directly or through a client. */
  readonly isRequester: boolean
  readonly isPublisher: boolean
  /** The setting of the project. */
  readonly allowPublisherBypass: boolean
}

/** Returns whether a person with these facts is one of the actors. */
export function isOneOfActors(actors: readonly ChangeRequestActor[], facts: ActorFacts): boolean {
  return actors.some((actor) => isActor[actor](facts))
}

const isActor: Readonly<Record<ChangeRequestActor, (facts: ActorFacts) => boolean>> = {
  creator: ({ isCreator }) => isCreator,
  publisher: ({ isPublisher }) => isPublisher,
  'other publisher': ({ isPublisher, isRequester }) => isPublisher && !isRequester,
  'bypassing publisher': ({ isPublisher, allowPublisherBypass }) => isPublisher && allowPublisherBypass
}

/** Returns the effective status for reviews: an approved request that lacks approvals counts as pending. */
export function reviewedStatus(status: Status, missingApprovals: number): Status {
  return status === 'approved' && missingApprovals > 0 ? 'pending' : status
}

/** Returns the action of an approval. `status` is the one by which the request is reviewed. */
export function approvalAction(
  { status, emergency }: Pick<ChangeRequest, 'status'> & { readonly emergency?: object | undefined },
  missingApprovals: number
): ChangeRequestAction {
  if (status === 'applied' && emergency) return 'approve later'
  return missingApprovals > 1 ? 'approve in part' : 'approve'
}

/** Returns the people who approved the current content of a change request. */
export function approversOf({
  reviews,
  contentHash
}: {
  readonly reviews: readonly Pick<ChangeRequest['reviews'][number], 'action' | 'contentHash' | 'idp_user'>[]
  readonly contentHash: string
}): ReadonlySet<string> {
  const valid = reviews.filter((review) => review.action === 'approved' && review.contentHash === contentHash)
  return new Set(valid.map(({ idp_user }) => idp_user))
}

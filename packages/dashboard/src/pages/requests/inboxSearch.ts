import type { ListedChangeRequest } from '@burgee/contract/schemas'

export type RequestStatus = ListedChangeRequest['status']

/** The statuses in the order of a request's life, with their words. */
export const requestStatusWords: Readonly<Record<RequestStatus, string>> = {
  draft: 'draft',
  pending: 'waiting',
  approved: 'approved',
  applied: 'applied',
  rejected: 'rejected',
  cancelled: 'cancelled'
}

/** Which requests the inbox shows, in the address. */
export interface InboxSearch {
  readonly status?: RequestStatus
  /** Requests that the person can review. */
  readonly reviewer?: 'me'
  /** Requests of the person. */
  readonly author?: 'me'
}

/** Reads the address. What it does not understand is left out. */
export function validateInboxSearch({ status, reviewer, author }: Readonly<Record<string, unknown>>): InboxSearch {
  const known = (Object.keys(requestStatusWords) as RequestStatus[]).find((word) => word === status)
  return {
    ...(known ? { status: known } : {}),
    ...(reviewer === 'me' ? { reviewer } : {}),
    ...(author === 'me' ? { author } : {})
  }
}

/** Orders requests: those that ask the person for a review first, then the newest. */
export function byUrgency(person: string) {
  const isAsked = ({ reviewers }: ListedChangeRequest) => reviewers.users.includes(person)
  return (one: ListedChangeRequest, other: ListedChangeRequest): number =>
    Number(isAsked(other)) - Number(isAsked(one)) || other.createdAt.localeCompare(one.createdAt)
}

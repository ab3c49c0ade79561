import { DEFAULT_PER_PAGE } from '@burgee/contract/schemas'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import type { Page, Query, Store } from '../../storage/store.ts'

interface RequestFilter {
  readonly caller: TokenCaller
  readonly reviewer: string | undefined
  /** Requests of features, or of the project itself with its environments and audiences. */
  readonly scope: 'features' | 'project'
}

/**
 * Returns a page of the change requests that a query matches, without the drafts of others.
 * @param reviewer Only those that ask this person for a review.
 */
export async function listChangeRequests(
  store: Store,
  { page = 1, perPage = DEFAULT_PER_PAGE, ...query }: Query<StoredChangeRequest>,
  { caller, reviewer, scope }: RequestFilter
): Promise<Page<StoredChangeRequest>> {
  const { items } = await store.collection('changeRequests').list(query)
  const shown = items.filter((request) => {
    if ((request._feature !== undefined) !== (scope === 'features')) return false
    const isAsked = reviewer === undefined || request.reviewers.users.includes(reviewer)
    return isAsked && (request.status !== 'draft' || request._createdBy === caller.id)
  })
  return { items: shown.slice((page - 1) * perPage, page * perPage), count: shown.length }
}

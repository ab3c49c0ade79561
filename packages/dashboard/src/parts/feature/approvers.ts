import type { ChangeRequest } from '@burgee/contract/schemas'

/** The people who approved the content of a request as it is. */
export function approversOf({
  reviews,
  contentHash
}: Pick<ChangeRequest, 'reviews' | 'contentHash'>): ReadonlySet<string> {
  const valid = reviews.filter((review) => review.action === 'approved' && review.contentHash === contentHash)
  return new Set(valid.map(({ idp_user }) => idp_user))
}

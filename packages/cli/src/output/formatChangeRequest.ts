import type { ListedChangeRequest } from '@burgee/contract/schemas'
import { formatRecord } from './formatValue.ts'

/** A change request with its subject: a flag or the project. */
type ShownRequest = Pick<ListedChangeRequest, '_id' | 'status' | 'description' | 'reviews'> & {
  readonly of: { readonly flag: string } | { readonly project: string }
  /** Describe the changes. */
  readonly lines: readonly string[]
}

/** Formats a change request for its reviewers. Nothing is cut: they approve what they see. */
export function formatChangeRequest({ _id, of, status, description, lines, reviews }: ShownRequest): string {
  const approvals = reviews.map(
    ({ idp_user, action, comment }) => `${action} by ${idp_user}${comment ? `: ${comment}` : ''}`
  )
  const reviewed = approvals.join('; ') || undefined
  const head = formatRecord({ request: _id, ...of, status, description, reviews: reviewed })
  return [head, ...lines.map((line) => `  ${line}`)].join('\n')
}

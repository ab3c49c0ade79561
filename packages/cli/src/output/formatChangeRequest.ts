import type { ListedChangeRequest } from '@burgee/contract/schemas'
import { escapeLine } from '@burgee/kit/text'
import { formatCell, formatRecord } from './formatValue.ts'

/** A change request with its subject: a flag or the project. */
type ShownRequest = Pick<ListedChangeRequest, '_id' | 'status' | 'description' | 'changes' | 'reviews'> & {
  readonly of: { readonly flag: string } | { readonly project: string }
}

/** Formats a change request for its reviewers. Nothing is cut: they approve what they see. */
export function formatChangeRequest({ _id, of, status, description, changes, reviews }: ShownRequest): string {
  const approvals = reviews.map(
    ({ idp_user, action, comment }) => `${action} by ${idp_user}${comment ? `: ${comment}` : ''}`
  )
  const reviewed = approvals.join('; ') || undefined
  const head = formatRecord({ request: _id, ...of, status, description, reviews: reviewed })
  const lines = changes.flatMap((change) => {
    const { type, previousContents, newContents } = change as Readonly<Record<string, unknown>>
    const contents = [['before', previousContents] as const, ['after', newContents] as const].map(([when, value]) => {
      const text = formatCell(value)
      return text === '' ? [] : [`    ${when}: ${escapeLine(text)}`]
    })
    return [`  ${String(type)}`, ...contents.flat()]
  })
  return [head, ...lines].join('\n')
}

import type { ListedChangeRequest } from '@burgee/contract/schemas'
import { escapeLine } from '@burgee/kit/text'
import { formatRecord } from './formatValue.ts'
import type { Names } from './peopleNames.ts'

/** A change request with its subject: a flag or the project. */
type ShownRequest = Pick<
  ListedChangeRequest,
  '_id' | 'status' | 'description' | 'reviews' | '_createdBy' | 'clientId' | 'assistant'
> & {
  readonly of: { readonly flag: string } | { readonly project: string }
  /** Describe the changes. */
  readonly lines: readonly string[]
  /** The names of the author and the reviewers. */
  readonly names: Names
}

/** Formats a change request for its reviewers. Nothing is cut: they approve what they see. */
export function formatChangeRequest(request: ShownRequest): string {
  const { _id, of, status, description = '', lines, reviews, names, _createdBy, clientId, assistant } = request
  const nameOf = (id: string) => names.get(id) ?? id
  const approvals = reviews.map(
    ({ idp_user, action, comment }) => `${action} by ${nameOf(idp_user)}${comment ? `: ${comment}` : ''}`
  )
  const by = [
    nameOf(_createdBy),
    ...(clientId === undefined || _createdBy.startsWith(`${clientId}@`) ? [] : [`with ${clientId}`]),
    ...(assistant === undefined ? [] : [`through ${assistant}`])
  ].join(', ')
  const [first = '', ...others] = description.split('\n').filter((line) => line.trim() !== '')
  const reviewed = approvals.join('; ') || undefined
  const head = { request: _id, ...of, status, by, description: first || undefined, reviews: reviewed }
  const record = formatRecord(head).split('\n')
  const indent = ' '.repeat(record[0]?.indexOf(_id) ?? 0)
  const withLines = record.flatMap((line) =>
    line.startsWith('description:') ? [line, ...others.map((other) => `${indent}${escapeLine(other)}`)] : [line]
  )
  return [...withLines, ...lines.map((line) => `  ${line}`)].join('\n')
}

/** Returns the first line of a description, for a table. */
export function titleOf({ description = '' }: Pick<ListedChangeRequest, 'description'>): string {
  return description.split('\n').find((line) => line.trim() !== '') ?? ''
}

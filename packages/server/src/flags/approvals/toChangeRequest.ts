import { createHash } from 'node:crypto'
import type { ChangeRequest, ProjectChangeRequest } from '@burgee/contract/schemas'
import stringify from 'fast-json-stable-stringify'
import { preconditionFailed } from '../../lib/errors.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'

/** Serializes a change request of a feature: its changes, without the body. */
export function toChangeRequest(stored: StoredChangeRequest): ChangeRequest {
  // Requests of features have the members that are optional in storage.
  return shownMembers(stored) as ChangeRequest
}

/** Serializes a change request of a project: its changes, without the body. */
export function toProjectChangeRequest(stored: StoredChangeRequest): ProjectChangeRequest {
  // Requests of projects have a method and a path.
  return shownMembers(stored) as ProjectChangeRequest
}

function shownMembers(stored: StoredChangeRequest) {
  const { body: _body, effect, _clientMaker, _scheduledBy, _scheduledThrough, _target, ...request } = stored
  const reviews = request.reviews.map(({ _roots, ...review }) => review)
  return { ...request, reviews, contentHash: contentHash(stored) }
}

/** The content that an approval covers: the request, the resource and its state, and the effect. */
type ApprovedContent = Pick<
  StoredChangeRequest,
  '_feature' | '_target' | '_baseFeatureSnapshot' | 'operation' | 'body' | 'effect'
>

/** Returns the SHA-256, in hexadecimal, of the approved content as canonical JSON. Absent members do not count. */
export function contentHash(content: ApprovedContent): string {
  const { _feature, _target, _baseFeatureSnapshot, operation, body, effect } = content
  const json = stringify({ _feature, _target, _baseFeatureSnapshot, operation, body, effect })
  return createHash('sha256').update(json).digest('hex')
}

/**
 * Asserts that a change request has the content that the caller read, if the caller names it.
 * @throws {HttpError} 412
 */
export function assertContentUnchanged(request: ApprovedContent, seen: string | undefined): void {
  const hash = contentHash(request)
  if (seen === undefined || seen === hash) return
  throw preconditionFailed(`the change request has changed since it was read: its contentHash is ${hash}, got ${seen}`)
}

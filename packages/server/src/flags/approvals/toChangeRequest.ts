import { createHash } from 'node:crypto'
import type { ChangeRequest } from '@burgee/contract/schemas'
import stringify from 'fast-json-stable-stringify'
import type { StoredChangeRequest } from '../../storage/resources.ts'

/** A change request as answers have it: what it changes, not the body that says so. */
export function toChangeRequest(stored: StoredChangeRequest): ChangeRequest {
  const { body: _body, effect, _clientMaker, _scheduledBy, _scheduledThrough, ...request } = stored
  return { ...request, contentHash: contentHash(stored) }
}

/** Everything that an approval is an approval of: what is asked for, of which feature, in which state of it, and what comes of it. */
type ApprovedContent = Pick<StoredChangeRequest, '_feature' | '_baseFeatureSnapshot' | 'operation' | 'body' | 'effect'>

/** What tells the content of a change request from every other: SHA-256, in hexadecimal, of it as JSON with its members in order. */
export function contentHash({ _feature, _baseFeatureSnapshot, operation, body, effect }: ApprovedContent): string {
  const content = stringify({ _feature, _baseFeatureSnapshot, operation, body, effect })
  return createHash('sha256').update(content).digest('hex')
}

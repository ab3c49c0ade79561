import { createHash } from 'node:crypto'
import type { ChangeRequest } from '@burgee/contract/schemas'
import stringify from 'fast-json-stable-stringify'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'

/** Serializes a change request: its changes, without the body. */
export function toChangeRequest(stored: StoredChangeRequest): ChangeRequest {
  const { body: _body, effect, _clientMaker, _scheduledBy, _scheduledThrough, ...request } = stored
  return { ...request, contentHash: contentHash(stored) }
}

/** The content that an approval covers: the request, the feature and its state, and the effect. */
type ApprovedContent = Pick<StoredChangeRequest, '_feature' | '_baseFeatureSnapshot' | 'operation' | 'body' | 'effect'>

/** Returns the SHA-256, in hexadecimal, of the approved content as canonical JSON. */
export function contentHash({ _feature, _baseFeatureSnapshot, operation, body, effect }: ApprovedContent): string {
  const content = stringify({ _feature, _baseFeatureSnapshot, operation, body, effect })
  return createHash('sha256').update(content).digest('hex')
}

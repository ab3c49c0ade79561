import type { ChangeRequest } from '@burgee/contract/schemas'
import type { StoredChangeRequest } from '../../storage/resources.ts'
import { contentHash } from './contentHash.ts'

/** A change request as answers have it: what it changes, not the body that says so. */
export function toChangeRequest(stored: StoredChangeRequest): ChangeRequest {
  const { body: _body, effect, _clientMaker, _scheduledBy, _scheduledThrough, ...request } = stored
  return { ...request, contentHash: contentHash(stored) }
}

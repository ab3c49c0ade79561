import type { ChangeRequest } from '@burgee/contract'
import type { StoredChangeRequest } from '../store/resources.ts'

/** A change request as answers have it: what it changes, not the body that says so. */
export function toChangeRequest({ body: _body, ...request }: StoredChangeRequest): ChangeRequest {
  return request
}

import type { ScimToken } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdBy } from '../../../access/createdBy.ts'
import type { StoredScimToken } from '../../../storage/resources/organization.ts'

/** Converts a SCIM token to the API form, without its digest. */
export function toScimToken(token: StoredScimToken): ScimToken {
  const { _id, createdAt, updatedAt, name, expiresAt, lastUsedAt } = token
  return { _id, createdAt, updatedAt, name, ...omitUndefined({ expiresAt, lastUsedAt }), _createdBy: createdBy(token) }
}

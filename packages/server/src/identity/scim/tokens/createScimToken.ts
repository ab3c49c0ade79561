import type { CreateScimToken } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdChange } from '../../../access/audit/changes.ts'
import type { Edit } from '../../../access/audit/edit.ts'
import { assertFullAccess } from '../../../access/permissions/assertNoEscalation.ts'
import { normalizeExpiry } from '../../../access/restrictions/expiry.ts'
import type { StoredScimToken } from '../../../storage/resources/organization.ts'
import { digestOfToken } from './findScimCaller.ts'

/**
 * Creates a SCIM token. Its holder controls the groups, and thereby the roles, of all people, so the caller needs all
 * permissions.
 * @throws {HttpError} 400 or 403
 */
export async function createScimToken(
  { store, caller, at, recordFields, recordChanges }: Edit,
  { name, expiresAt }: CreateScimToken,
  secret: string
): Promise<StoredScimToken> {
  assertFullAccess(caller, 'creating a SCIM token')
  const token = await store.collection('scimTokens').insert({
    ...recordFields(),
    name,
    ...omitUndefined({ expiresAt: expiresAt && normalizeExpiry(expiresAt, at) }),
    tokenDigest: digestOfToken(secret),
    _organization: caller.organization,
    _createdBy: caller.id
  })
  recordChanges({}, [createdChange('ScimToken', token)])
  return token
}

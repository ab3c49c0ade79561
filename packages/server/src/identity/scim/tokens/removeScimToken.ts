import { deletedChange } from '../../../access/audit/changes.ts'
import type { Edit } from '../../../access/audit/edit.ts'
import { itemNotFound } from '../../../lib/errors.ts'
import type { StoredScimToken } from '../../../storage/resources/organization.ts'

/** Revokes a SCIM token by its id or name. @throws {HttpError} 404 */
export async function removeScimToken(
  { store, caller, recordChanges }: Edit,
  reference: string
): Promise<StoredScimToken> {
  const tokens = store.collection('scimTokens')
  const { organization: _organization } = caller
  const token =
    (await tokens.get({ _organization, _id: reference })) ?? (await tokens.get({ _organization, name: reference }))
  if (!token) throw itemNotFound('SCIM token', reference)
  await tokens.remove(token._id)
  recordChanges({}, [deletedChange('ScimToken', token)])
  return token
}

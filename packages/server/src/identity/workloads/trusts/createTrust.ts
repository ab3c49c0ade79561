import type { CreateWorkloadTrust } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdChange } from '../../../access/audit/changes.ts'
import type { Edit } from '../../../access/audit/edit.ts'
import { assertOwner } from '../../../access/permissions/assertOwner.ts'
import { normalizeExpiry } from '../../../access/restrictions/expiry.ts'
import { conflict } from '../../../lib/errors.ts'
import type { StoredWorkloadTrust } from '../../../storage/resources/workload.ts'
import { assertUsableAudience } from './assertUsableAudience.ts'
import { resolveWorkloadGrants } from './resolveWorkloadGrants.ts'

/** Creates a trust. @throws {HttpError} 400, 403, 404 or 409 */
export async function createTrust(
  change: Edit,
  { grants, enabled = true, jwksUri, expiresAt, ...members }: CreateWorkloadTrust
): Promise<StoredWorkloadTrust> {
  const { store, caller, at, recordFields, recordChanges } = change
  assertOwner(caller)
  const trusts = store.collection('workloadTrusts')
  if (await trusts.get({ _id: members.key })) {
    throw conflict(`key should not be the _id of another trust, got "${members.key}"`)
  }
  const trust = {
    ...recordFields(),
    ...members,
    ...omitUndefined({ jwksUri, expiresAt: expiresAt && normalizeExpiry(expiresAt, at) }),
    enabled,
    grants: await resolveWorkloadGrants(change, grants),
    _organization: caller.organization,
    _createdBy: caller.id
  }
  assertUsableAudience(trust)
  await trusts.insert(trust)
  recordChanges({}, [createdChange('WorkloadTrust', trust)])
  return trust
}

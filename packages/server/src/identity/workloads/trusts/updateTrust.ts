import { isDeepStrictEqual } from 'node:util'
import type { UpdateWorkloadTrust } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { Edit } from '../../../access/audit/edit.ts'
import { updateAudited } from '../../../access/audit/updateAudited.ts'
import { assertOwner } from '../../../access/permissions/assertOwner.ts'
import { findRoot, findTrustChangers } from '../../../access/permissions/findRoot.ts'
import { normalizeExpiry } from '../../../access/restrictions/expiry.ts'
import type { StoredWorkloadTrust } from '../../../storage/resources/workload.ts'
import { assertUsableAudience } from './assertUsableAudience.ts'
import { getTrust } from './getTrust.ts'
import { assertMayGrant, resolveWorkloadGrants } from './resolveWorkloadGrants.ts'

/**
 * Updates a trust. Every change except of the name revokes earlier tokens; enabling the trust again does not restore
 * them. Changes that can give the permissions of the trust to other workloads require these permissions.
 * @throws {HttpError} 400, 403 or 404
 */
export async function updateTrust(
  change: Edit,
  reference: string,
  { grants, jwksUri, expiresAt, ...members }: UpdateWorkloadTrust
): Promise<StoredWorkloadTrust> {
  const { store, caller, at } = change
  assertOwner(caller)
  const before = await getTrust(store, reference, caller)
  // The store removes members that are undefined.
  const changed = {
    ...before,
    ...omitUndefined(members),
    ...(grants === undefined ? {} : { grants: await resolveWorkloadGrants(change, grants) }),
    ...(jwksUri === undefined ? {} : { jwksUri: jwksUri ?? undefined }),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? undefined : normalizeExpiry(expiresAt, at) })
  } as StoredWorkloadTrust
  if (changed.audience !== before.audience) assertUsableAudience(changed)
  const isRenamed = isDeepStrictEqual({ ...changed, name: before.name }, before)
  const isRestricted =
    isDeepStrictEqual({ ...changed, name: before.name, enabled: before.enabled }, before) && !changed.enabled
  if (!(isRenamed || isRestricted)) assertMayGrant(caller, changed.grants)
  const root = await findRoot(store, caller.id)
  const _roots = [...new Set([...(await findTrustChangers(store, before)), root])]
  const after = isRenamed ? changed : { ...changed, changedAt: at, _roots }
  return updateAudited(change, { collection: 'workloadTrusts', resource: 'WorkloadTrust', subject: {} }, before, after)
}

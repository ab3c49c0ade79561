import type { WorkloadToken } from '@burgee/contract/schemas'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { assertOwner } from '../../../access/permissions/assertOwner.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { formatWorkloadSubject } from '../../../access/permissions/workloadIdentity.ts'
import { itemNotFound } from '../../../lib/errors.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import { toIsoString } from '../../../lib/time.ts'
import type { StoredWorkloadToken, StoredWorkloadTrust } from '../../../storage/resources/workload.ts'
import type { Store } from '../../../storage/store.ts'
import { isEndedByTrust } from '../../revocation/generations.ts'
import { addRevocation, findRevocation } from '../../revocation/revocations.ts'
import { getTrust } from './getTrust.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
}

/** Lists the valid tokens of a trust, newest first. @throws {HttpError} 403 or 404 */
export async function listWorkloadTokens(
  { store, now }: Pick<Dependencies, 'store' | 'now'>,
  caller: TokenCaller,
  reference: string
): Promise<readonly WorkloadToken[]> {
  assertOwner(caller)
  const trust = await getTrust(store, reference, caller)
  return (await listValid(store, trust, now())).map(({ _id, createdAt, expiresAt, workload }) => {
    return { _id, createdAt, expiresAt: toIsoString(expiresAt), origin: 'CI trust', trust: trust.key, workload }
  })
}

/** Revokes one token of a trust, with an audit entry. @throws {HttpError} 403 or 404 */
export async function revokeWorkloadToken(
  { store, edit, ids, now }: Dependencies,
  caller: TokenCaller,
  { trust: reference, token }: { readonly trust: string; readonly token: string }
): Promise<void> {
  assertOwner(caller)
  const trust = await getTrust(store, reference, caller)
  const found = (await listValid(store, trust, now())).find(({ _id }) => _id === token)
  if (!found) throw itemNotFound('token', token, { within: `trust "${trust.key}"` })
  // Revocations are user data, which a transaction cannot write together with the audit entry.
  await store.transaction((transaction) => {
    return addRevocation(transaction, { token: found.tokenId, expiresAt: found.expiresAt }, { ids, now })
  })
  await edit(caller, async ({ recordChanges }) => {
    const previousContents = { _id: found._id, trust: trust.key, workload: { ...found.workload } }
    recordChanges({}, [{ type: 'deletedWorkloadToken', newContents: null, previousContents }])
  })
}

async function listValid(
  store: Store,
  trust: StoredWorkloadTrust,
  now: number
): Promise<readonly StoredWorkloadToken[]> {
  const { _id: _trust, enabled } = trust
  if (!enabled) return []
  const { items } = await store
    .collection('workloadTokens')
    .list({ where: { _trust }, sortBy: 'createdAt', sortOrder: 'desc' })
  const current = items.filter(({ expiresAt, createdAt, generation }) => {
    const generations = generation === undefined ? undefined : { [formatWorkloadSubject(trust)]: generation }
    return expiresAt > now && !isEndedByTrust({ issuedAt: Date.parse(createdAt), generations }, trust)
  })
  const revoked = await Promise.all(current.map(({ tokenId }) => findRevocation(store, 'token', tokenId)))
  return current.filter((_, index) => revoked[index] === undefined)
}

import { permissions, permissionsInScope } from '@burgee/contract'
import type { AllowedApplication } from '@burgee/contract/schemas'
import { deletedChange } from '../../access/audit/changes.ts'
import type { EditRunner } from '../../access/audit/edit.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { itemNotFound } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { StoredAuthorization, StoredClient } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { getOwnAccount } from '../people/getOwnAccount.ts'
import { isRevoked } from '../provider/isRevoked.ts'
import { addRevocation } from '../revocation/revocations.ts'
import { removeAuthorizations } from '../revocation/revokeAuthorizations.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
}

/** Lists the applications that the caller allowed, by name. @throws {HttpError} 403 */
export async function listOwnApplications(
  dependencies: Dependencies,
  caller: TokenCaller
): Promise<AllowedApplication[]> {
  const { store } = dependencies
  const applications: AllowedApplication[] = []
  for (const [clientId, records] of await findAuthorizations(dependencies, caller)) {
    const client = await store.collection('clients').get({ clientId })
    if (client && records.some(isGrant)) applications.push(toAllowedApplication(client, records))
  }
  return applications.sort((one, other) => (one.name < other.name ? -1 : 1))
}

/**
 * Ends the consent of the caller to an application, with its codes, refresh tokens and access tokens.
 * @throws {HttpError} 403 or 404
 */
export async function revokeOwnApplication(
  dependencies: Dependencies,
  caller: TokenCaller,
  clientId: string
): Promise<void> {
  const { store, edit } = dependencies
  const application = (await listOwnApplications(dependencies, caller)).find((one) => one.clientId === clientId)
  if (!application) throw itemNotFound('application', clientId)
  const { name } = application
  // Consents are stored separately (ADR 2): the entry comes first, so that no consent ends without one.
  await edit(caller, async ({ recordChanges }) => {
    recordChanges({}, [deletedChange('Application', { clientId, name, user_id: caller.id })])
  })
  await store.transaction(async (transaction) => {
    const revoked = { accountId: caller.id, clientId }
    await removeAuthorizations(transaction, revoked)
    await addRevocation(transaction, { application: revoked }, dependencies)
  })
}

/** Finds what the caller allowed and is still valid, by client id. */
async function findAuthorizations(
  { store, now }: Dependencies,
  caller: TokenCaller
): Promise<ReadonlyMap<string, readonly StoredAuthorization[]>> {
  const { userId } = await getOwnAccount(store, caller)
  const { items } = await store.collection('authorizations').list()
  const found = new Map<string, StoredAuthorization[]>()
  for (const record of items) {
    const { accountId, clientId } = record.payload
    const { expiresAt = Number.POSITIVE_INFINITY } = record
    if (accountId !== userId || typeof clientId !== 'string' || expiresAt <= now()) continue
    if (!(await isRevoked(record, store))) found.set(clientId, [...(found.get(clientId) ?? []), record])
  }
  return found
}

function isGrant({ model }: StoredAuthorization): boolean {
  return model === 'Grant'
}

function toAllowedApplication(
  { clientId, name, isAssistant, isDynamic }: StoredClient,
  records: readonly StoredAuthorization[]
): AllowedApplication {
  const times = records.map(({ createdAt }) => createdAt).sort()
  const grants = records.filter(isGrant)
  const [allowedAt = ''] = grants.map(({ createdAt }) => createdAt).sort()
  const allowed = grants.flatMap(({ payload }) => Object.values(Object(payload.resources)).map(String))
  const limits = allowed.map((scope) => permissionsInScope(scope))
  const isUnlimited = limits.includes(undefined)
  return {
    clientId,
    name,
    isAssistant,
    isDynamic,
    ...(isUnlimited ? {} : { permissions: permissions.filter((one) => limits.some((limit) => limit?.has(one))) }),
    allowedAt,
    lastUsedAt: times.at(-1) ?? allowedAt
  }
}

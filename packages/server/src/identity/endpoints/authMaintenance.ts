import { every } from '@burgee/kit'
import { deletedChange } from '../../access/audit/changes.ts'
import type { EditRunner } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import { DAY, HOUR } from '../../lib/time.ts'
import type { RecordFields } from '../../storage/resources/recordFields.ts'
import type { Collection, Store } from '../../storage/store.ts'
import { removeExpiredSigningKeys, rotateSigningKey } from '../keys/signingKeys.ts'
import { listUnusedClients } from '../registration/listUnusedClients.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
  readonly log: Logger
  /** The key of the organization. */
  readonly organization: string
}

/** The rotation interval of signing keys. */
const KEY_MS = 90 * DAY

/** How long a dynamically registered client is kept without a login. */
const UNUSED_MS = 7 * DAY

/**
 * Runs the maintenance of authentication state now and every hour: rotates an old signing key and deletes expired
 * state. Failed tasks are retried an hour later.
 */
export async function openAuthMaintenance(
  dependencies: Dependencies
): Promise<{ readonly close: () => Promise<void> }> {
  const warn = (error: unknown) => dependencies.log.warn({ err: error }, 'maintenance of authentication state failed')
  const work = async () => {
    for (const task of [rotateDueKey, removeExpiredKeys, removeExpiredAuthorizations, removeUnusedClients]) {
      await task(dependencies).catch(warn)
    }
  }
  const job = every(HOUR, work, { onError: warn })
  await job.run()
  return { close: job.stop }
}

async function rotateDueKey(dependencies: Dependencies): Promise<void> {
  const { store, now, organization, log } = dependencies
  const { items } = await store.collection('signingKeys').list({ sortBy: 'createdAt', sortOrder: 'desc', perPage: 1 })
  const [newest] = items
  if (newest && Date.parse(newest.createdAt) + KEY_MS > now()) return
  await rotateSigningKey(dependencies, serverCaller(organization))
  log.info('access tokens are signed with a new key')
}

function removeExpiredKeys({ store, now }: Dependencies): Promise<void> {
  return store.transaction((transaction) => removeExpiredSigningKeys(transaction, now()))
}

async function removeExpiredAuthorizations({ store, now }: Dependencies): Promise<void> {
  const at = now()
  const hasExpired = ({ expiresAt }: { readonly expiresAt?: number }) => expiresAt !== undefined && expiresAt <= at
  await store.transaction(async (transaction) => {
    await removeItems(transaction.collection('authorizations'), hasExpired)
    await removeUpstreamSessions(transaction, at)
    await removeItems(transaction.collection('revocations'), hasExpired)
    await removeItems(transaction.collection('workloadTokens'), ({ keptUntil }) => keptUntil + HOUR <= at)
    await removeItems(transaction.collection('challenges'), hasExpired)
  })
}

async function removeItems<T extends RecordFields>(
  collection: Collection<T>,
  isRemoved: (item: T) => boolean
): Promise<void> {
  for (const item of (await collection.list()).items) if (isRemoved(item)) await collection.remove(item._id)
}

/** Removes sessions from the identity provider that have expired, or whose user was signed out or deleted. */
async function removeUpstreamSessions(store: Store, now: number): Promise<void> {
  const sessions = store.collection('upstreamSessions')
  for (const { _id, userId, createdAt, expiresAt } of (await sessions.list()).items) {
    const user = await store.collection('users').get({ userId })
    const isSignedOut = !user || (user.signedOutAt !== undefined && createdAt < user.signedOutAt)
    if (isSignedOut || expiresAt <= now) await sessions.remove(_id)
  }
}

/** Removes dynamically registered clients without any consent. */
async function removeUnusedClients({ store, edit, now, organization }: Dependencies): Promise<void> {
  const unused = (await listUnusedClients(store)).filter(({ createdAt }) => Date.parse(createdAt) + UNUSED_MS <= now())
  if (unused.length === 0) return
  await edit(serverCaller(organization), async ({ store, recordChanges }) => {
    for (const client of unused) {
      await store.collection('clients').remove(client._id)
      recordChanges({}, [deletedChange('ApiClient', client)])
    }
  })
}

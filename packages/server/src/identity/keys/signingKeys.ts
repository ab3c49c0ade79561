import type { SigningKey } from '@burgee/contract/schemas'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { deletedChange } from '../../access/audit/changes.ts'
import type { EditRunner } from '../../access/audit/edit.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { rateLimited } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { toIsoString } from '../../lib/time.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import { DASHBOARD_CLIENT_ID, type StoredSigningKey } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { CLOCK_TOLERANCE_MS, ISSUE_DELAY, MAX_TOKEN_LIFETIME } from './lifetimes.ts'

/**
 * The signing keys of access tokens, kept in sync with the store: the current key first, then the previous ones that
 * still verify. Each list stays the same object until a key is added or removed.
 */
export interface SigningKeys {
  /** With private members, for signing only. */
  readonly privateJwks: readonly PrivateJwk[]
  readonly publicJwks: readonly JWK[]
  /** Whether a key was retired before a token with this issue time (in seconds) was signed. */
  readonly isRetiredBefore: (kid: string | undefined, issuedAt: number) => boolean
}

/** An RSA key pair as a JSON Web Key. */
export type PrivateJwk = JWK & { readonly kty: 'RSA'; readonly kid: string }

interface Dependencies {
  readonly now: () => number
  readonly ids: IdGenerator
}

/** Loads the signing keys of a store; creates the first one if there is none. */
export async function openSigningKeys(store: Store, { now, ids }: Dependencies): Promise<SigningKeys> {
  let stored = await read(store)
  if (stored.length === 0) stored = [await store.collection('signingKeys').insert(await makeKey(now(), ids))]
  store.subscribe(async ({ writes }) => {
    if (writes.some(({ collection }) => collection === 'signingKeys')) stored = await read(store)
  })
  let cached = toKeySets(stored)
  const current = () => {
    const verifying = stored.filter((key) => !isExpired(key, now()))
    const isSame = verifying.length === cached.stored.length && verifying.every((key, at) => key === cached.stored[at])
    if (!isSame) cached = toKeySets(verifying)
    return cached
  }
  return {
    get privateJwks() {
      return current().privateJwks
    },
    get publicJwks() {
      return current().publicJwks
    },
    isRetiredBefore: (kid, issuedAt) => {
      const { retiredAt } = stored.find((key) => key.kid === kid) ?? {}
      return retiredAt !== undefined && issuedAt * 1000 > Date.parse(retiredAt) + CLOCK_TOLERANCE_MS
    }
  }
}

/** Lists the keys with their dates, the current one first. */
export async function listSigningKeys(store: Store): Promise<readonly SigningKey[]> {
  return (await read(store)).map(toSigningKey)
}

/**
 * Rotates the signing key. The previous key verifies for as long as its tokens can live; older keys are removed. With
 * `endsPrevious`, all previous keys are removed, which ends everything that they signed, and the sessions of the
 * dashboard, which are not signed, end too.
 * @throws {HttpError} 429 if too many previous keys still verify
 */
export async function rotateSigningKey(
  { edit, now, ids }: RotationDependencies,
  caller: TokenCaller,
  { endsPrevious = false }: { readonly endsPrevious?: boolean | undefined } = {}
): Promise<readonly SigningKey[]> {
  // Checked before the key is generated, which takes long, and again with the writes.
  if (!endsPrevious) await edit(caller, async ({ store }) => assertRotatable(store, now()))
  const key = await makeKey(now(), ids)
  return edit(caller, async ({ store, recordChanges }) => {
    if (!endsPrevious) await assertRotatable(store, now())
    // The previous key signs until this transaction, not only until it was requested.
    const at = toIsoString(now())
    const keys = store.collection('signingKeys')
    await removeExpiredSigningKeys(store, now())
    for (const before of await read(store)) {
      if (endsPrevious) {
        await keys.remove(before._id)
        recordChanges({}, [deletedChange('SigningKey', before)])
      } else if (!isRetired(before)) await keys.update(before._id, { retiredAt: at, updatedAt: at })
    }
    if (endsPrevious) await endDashboardSessions(store, at)
    await keys.insert(key)
    recordChanges({}, [{ type: 'createdSigningKey', newContents: { kid: key.kid }, previousContents: null }])
    return listSigningKeys(store)
  })
}

/** Ends the sessions, which are in another file (ADR 2), in the same transaction: they are of an earlier generation. */
async function endDashboardSessions(store: Store, at: string): Promise<void> {
  const clients = store.collection('clients')
  const dashboard = await clients.get({ clientId: DASHBOARD_CLIENT_ID })
  if (dashboard) await clients.update(dashboard._id, { signedOutAt: at, updatedAt: at })
}

interface RotationDependencies extends Dependencies {
  readonly edit: EditRunner
}

/** The maximum number of previous keys that still verify: libraries limit the size of the key set that they read. */
const MAX_PREVIOUS_KEYS = 5

/** Asserts that the key can be rotated while the previous keys still verify. @throws {HttpError} 429 */
async function assertRotatable(store: Store, now: number): Promise<void> {
  const previous = (await read(store)).filter((key) => isRetired(key) && !isExpired(key, now))
  if (previous.length < MAX_PREVIOUS_KEYS) return
  const waitMs = Math.min(...previous.map(expiryOf)) - now
  throw rateLimited(
    `the signing key was rotated ${previous.length} times, and tokens of all previous keys are still valid: rotate it again later, or end the previous keys at once with now=true`,
    waitMs
  )
}

/** Removes keys whose tokens have all expired. */
export async function removeExpiredSigningKeys(store: Store, now: number): Promise<void> {
  for (const key of await read(store)) if (isExpired(key, now)) await store.collection('signingKeys').remove(key._id)
}

/** Reads the keys: the current one first, then the previous ones, newest first. */
async function read(store: Store): Promise<readonly StoredSigningKey[]> {
  const { items } = await store.collection('signingKeys').list({ sortBy: 'createdAt', sortOrder: 'desc' })
  return [...items].sort((one, other) => Number(isRetired(one)) - Number(isRetired(other)))
}

function isRetired({ retiredAt }: StoredSigningKey): boolean {
  return retiredAt !== undefined
}

/** Whether every token of a key has expired, including one that was being signed during the rotation. */
function isExpired(key: StoredSigningKey, now: number): boolean {
  return expiryOf(key) <= now
}

/** When a key is no longer needed; never for the current one. */
function expiryOf({ retiredAt }: StoredSigningKey): number {
  if (retiredAt === undefined) return Number.POSITIVE_INFINITY
  return Date.parse(retiredAt) + (MAX_TOKEN_LIFETIME + ISSUE_DELAY) * 1000
}

function toKeySets(stored: readonly StoredSigningKey[]) {
  const privateJwks = stored.map(({ kid, algorithm, privateJwk }): PrivateJwk => {
    return { ...privateJwk, kty: 'RSA', kid, alg: algorithm, use: 'sig' }
  })
  const publicJwks = privateJwks.map(({ kty, kid, alg, use, n, e }) => ({ kty, kid, alg, use, n, e }) as JWK)
  return { stored, privateJwks, publicJwks }
}

function toSigningKey({ kid, createdAt, retiredAt }: StoredSigningKey): SigningKey {
  return { kid, createdAt, ...(retiredAt === undefined ? {} : { retiredAt }) }
}

async function makeKey(now: number, ids: IdGenerator): Promise<StoredSigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true })
  const jwk = await exportJWK(privateKey)
  return {
    ...newRecordFields(now, ids),
    kid: await calculateJwkThumbprint(jwk),
    algorithm: 'RS256',
    privateJwk: { ...jwk }
  }
}

import type { SigningKey } from '@burgee/contract/schemas'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { EditRunner } from '../../access/audit/edit.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import type { StoredSigningKey } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { MAX_TOKEN_LIFETIME } from './lifetimes.ts'

/**
 * The keys that access tokens are signed with: every one that verifies, and first the one that signs. They follow the
 * store; each member is another list once a key has come or gone, and the same list until then.
 */
export interface SigningKeys {
  /** With their private members: only for the one who signs. */
  readonly privateJwks: readonly PrivateJwk[]
  readonly publicJwks: readonly JWK[]
}

/** An RSA key pair as a JSON Web Key. */
export type PrivateJwk = JWK & { readonly kty: 'RSA'; readonly kid: string }

interface Dependencies {
  readonly now: () => number
  readonly ids: IdGenerator
}

/** Loads the signing keys of a store; a store without one gets its first. */
export async function openSigningKeys(store: Store, { now, ids }: Dependencies): Promise<SigningKeys> {
  let stored = await read(store)
  if (stored.length === 0) stored = [await store.collection('signingKeys').insert(await makeKey(now(), ids))]
  store.subscribe(async ({ writes }) => {
    if (writes.some(({ collection }) => collection === 'signingKeys')) stored = await read(store)
  })
  let known = viewOf(stored)
  const current = () => {
    const verifying = stored.filter((key) => !isOver(key, now()))
    const isSame = verifying.length === known.stored.length && verifying.every((key, at) => key === known.stored[at])
    if (!isSame) known = viewOf(verifying)
    return known
  }
  return {
    get privateJwks() {
      return current().privateJwks
    },
    get publicJwks() {
      return current().publicJwks
    }
  }
}

/** What there is to know of each key, the one that signs first. */
export async function listSigningKeys(store: Store): Promise<readonly SigningKey[]> {
  return (await read(store)).map(toSigningKey)
}

/** Signs with a new key from now on. The one before verifies as long as a token can live that it has signed; older ones are removed. */
export async function rotateSigningKey(
  { edit, now, ids }: Dependencies & { readonly edit: EditRunner },
  caller: TokenCaller
): Promise<readonly SigningKey[]> {
  const key = await makeKey(now(), ids)
  return edit(caller, async ({ store, at, recordChanges }) => {
    const keys = store.collection('signingKeys')
    await removeExpiredSigningKeys(store, now())
    for (const before of await read(store)) {
      if (!isRetired(before)) await keys.update(before._id, { retiredAt: at, updatedAt: at })
    }
    await keys.insert(key)
    recordChanges({}, [{ type: 'createdSigningKey', newContents: { kid: key.kid }, previousContents: null }])
    return listSigningKeys(store)
  })
}

/** Removes the keys that nothing is left to verify of. */
export async function removeExpiredSigningKeys(store: Store, now: number): Promise<void> {
  for (const key of await read(store)) if (isOver(key, now)) await store.collection('signingKeys').remove(key._id)
}

/** The key that signs, and then those that did, the latest first. */
async function read(store: Store): Promise<readonly StoredSigningKey[]> {
  const { items } = await store.collection('signingKeys').list({ sortBy: 'createdAt', sortOrder: 'desc' })
  return [...items].sort((one, other) => Number(isRetired(one)) - Number(isRetired(other)))
}

function isRetired({ retiredAt }: StoredSigningKey): boolean {
  return retiredAt !== undefined
}

/** Whether every token that a key has signed has expired, also one that was being made when the next key came. */
function isOver({ retiredAt }: StoredSigningKey, now: number): boolean {
  return retiredAt !== undefined && Date.parse(retiredAt) + (MAX_TOKEN_LIFETIME + SLACK) * 1000 <= now
}

/** In seconds. */
const SLACK = 300

function viewOf(stored: readonly StoredSigningKey[]) {
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

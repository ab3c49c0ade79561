import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Ids } from '../id.ts'
import type { StoredSigningKey } from '../store/resources.ts'
import type { Store } from '../store/store.ts'

/** The keys that access tokens are signed with. */
export interface SigningKeys {
  /** With their private members: only for the one who signs. */
  readonly privateJwks: readonly PrivateJwk[]
  readonly publicJwks: readonly JWK[]
}

/** An RSA key pair as a JSON Web Key. */
export type PrivateJwk = JWK & { readonly kty: 'RSA'; readonly kid: string }

/** Loads the signing keys of a store; a store without one gets its first. */
export async function openSigningKeys(
  store: Store,
  { now, ids }: { readonly now: () => number; readonly ids: Ids }
): Promise<SigningKeys> {
  const { items } = await store.collection('signingKeys').list()
  const keys = items.length > 0 ? items : [await store.collection('signingKeys').insert(await makeKey(now(), ids))]
  const privateJwks = keys.map(({ kid, algorithm, privateJwk }): PrivateJwk => {
    return { ...privateJwk, kty: 'RSA', kid, alg: algorithm, use: 'sig' }
  })
  const publicJwks = privateJwks.map(({ kty, kid, alg, use, n, e }) => ({ kty, kid, alg, use, n, e }) as JWK)
  return { privateJwks, publicJwks }
}

async function makeKey(now: number, ids: Ids): Promise<StoredSigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true })
  const jwk = await exportJWK(privateKey)
  const at = new Date(now).toISOString()
  return {
    _id: ids.id(),
    createdAt: at,
    updatedAt: at,
    kid: await calculateJwkThumbprint(jwk),
    algorithm: 'RS256',
    privateJwk: { ...jwk }
  }
}

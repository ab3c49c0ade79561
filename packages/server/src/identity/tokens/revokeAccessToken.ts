import { decodeProtectedHeader } from 'jose'
import { HttpError } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Store } from '../../storage/store.ts'
import { listProtectedResources, type ProtectedResources } from '../oauth/protectedResources.ts'
import { addRevocation } from '../revocation/revocations.ts'
import type { AccessTokenVerifier, VerifiedToken } from './accessTokenVerifier.ts'

interface Dependencies {
  readonly tokens: AccessTokenVerifier
  readonly resources: () => ProtectedResources
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
}

/**
 * Revokes an access token, with the tokens that it was exchanged for. A token that is not valid, or that belongs to
 * another client, is left alone: the caller cannot tell the difference (RFC 7009 §2.2).
 */
export async function revokeAccessToken(token: string, clientId: string, dependencies: Dependencies): Promise<void> {
  const verified = await findVerified(token, dependencies)
  if (verified?.claims.azp === clientId) await revoke(verified, dependencies)
}

/**
 * Revokes the access token of a CI job. Possession of the token suffices, since it has no client. Returns whether it
 * was one.
 */
export async function revokeWorkloadAccessToken(token: string, dependencies: Dependencies): Promise<boolean> {
  const verified = await findVerified(token, dependencies)
  if (verified?.claims.trust === undefined) return false
  await revoke(verified, dependencies)
  return true
}

async function revoke({ claims: { jti, exp } }: VerifiedToken, { store, ids, now }: Dependencies): Promise<void> {
  await store.transaction((transaction) => {
    return addRevocation(transaction, { token: jti, expiresAt: exp * 1000 }, { ids, now })
  })
}

/** Whether a token is signed, as access tokens are, and not the key of stored state. */
export function isSignedToken(token: string): boolean {
  try {
    return decodeProtectedHeader(token) !== undefined
  } catch {
    return false
  }
}

async function findVerified(token: string, { tokens, resources }: Dependencies): Promise<VerifiedToken | undefined> {
  try {
    return await tokens.verifyFor(token, listProtectedResources(resources()), undefined)
  } catch (error) {
    if (error instanceof HttpError && error.status === 401) return undefined
    throw error
  }
}

import { permissionsInScope } from '@burgee/contract'
import { SignJWT } from 'jose'
import { listPermissions } from '../../access/permissions/access.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { EXCHANGED_TOKEN_LIFETIME } from '../keys/lifetimes.ts'
import type { SigningKeys } from '../keys/signingKeys.ts'
import type { VerifiedToken } from './accessTokenVerifier.ts'
import { toIssuer } from './toIssuer.ts'

/** A token for the management API, made of another. */
export interface ExchangedToken {
  readonly token: string
  /** Epoch seconds. */
  readonly expiresAt: number
}

/** What is said of an exchange besides the token. */
interface TokenExchangeOptions {
  /** Who exchanges it, as tokens name them. */
  readonly actor: string
  /** Epoch milliseconds, from before the holder was looked up: those who are signed out since are so with what comes of it. */
  readonly at: number
  /** A part of what the token is for; all of it if left out. */
  readonly scope?: string | undefined
}

/**
 * Makes a token for the management API of one that holds: for the same holder through the same client, good for no more
 * and for no longer.
 */
export type ExchangeToken = (held: VerifiedToken, exchanging: TokenExchangeOptions) => Promise<ExchangedToken>

interface Dependencies {
  readonly keys: SigningKeys
  readonly ids: IdGenerator
  /** The address under which callers reach the server; known once it listens. */
  readonly publicUrl: () => string
}

/** Exchanges tokens, signed with the key that signs all others. */
export function createTokenExchange({ keys, ids, publicUrl }: Dependencies): ExchangeToken {
  return async ({ holder, claims }, { actor, at, scope = claims.scope }) => {
    const [jwk] = keys.privateJwks
    if (!jwk) throw new Error('there is no signing key')
    const issuer = toIssuer(publicUrl())
    const limit = permissionsInScope(scope)
    const iat = Math.floor(at / 1000)
    const expiresAt = Math.min(iat + EXCHANGED_TOKEN_LIFETIME, claims.exp)
    const payload = {
      iss: issuer,
      aud: issuer,
      sub: holder.id,
      azp: claims.azp,
      client_id: claims.azp,
      iat,
      iat_ms: at,
      exp: expiresAt,
      jti: ids.id(),
      ...(scope === undefined ? {} : { scope }),
      org_id: holder.organization,
      permissions: listPermissions(holder.access).filter((permission) => !limit || limit.has(permission)),
      act: { sub: actor, ...(claims.act ? { act: claims.act } : {}) }
    }
    const token = await new SignJWT(payload).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: jwk.kid }).sign(jwk)
    return { token, expiresAt }
  }
}

import { permissionsInScope } from '@burgee/contract'
import { listPermissions } from '../../access/permissions/access.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { EXCHANGED_TOKEN_LIFETIME } from '../keys/lifetimes.ts'
import type { SigningKeys } from '../keys/signingKeys.ts'
import type { VerifiedToken } from './accessTokenVerifier.ts'
import { signToken } from './jwt.ts'
import { toIssuer } from './toIssuer.ts'

/** A management API token that was exchanged for another token. */
export interface ExchangedToken {
  readonly token: string
  /** Epoch seconds. */
  readonly expiresAt: number
}

/** The context of an exchange. */
interface TokenExchangeOptions {
  /** The subject of the client that exchanges the token. */
  readonly actor: string
  /**
   * Epoch milliseconds, taken before the lookup of the holder, so that a sign-out since then revokes the new token too.
   */
  readonly at: number
  /** The requested part of the scope; the whole scope if omitted. */
  readonly scope?: string | undefined
}

/**
 * Exchanges a valid token for a management API token of the same holder and client, with no more permissions and no
 * longer lifetime (RFC 8693).
 */
export type ExchangeToken = (held: VerifiedToken, exchanging: TokenExchangeOptions) => Promise<ExchangedToken>

interface Dependencies {
  readonly keys: SigningKeys
  readonly ids: IdGenerator
  /** The public URL of the server, known once it listens. */
  readonly publicUrl: () => string
}

/** Creates the token exchange, which signs with the current key. */
export function createTokenExchange({ keys, ids, publicUrl }: Dependencies): ExchangeToken {
  return async ({ holder, claims }, { actor, at, scope = claims.scope }) => {
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
      // A revocation of the token or of its grant ends this token too.
      subject_jti: [claims.jti, ...(claims.subject_jti ?? [])],
      ...(claims.grant_id === undefined ? {} : { grant_id: claims.grant_id }),
      ...(scope === undefined ? {} : { scope }),
      org_id: holder.organization,
      permissions: listPermissions(holder.access).filter((permission) => !limit || limit.has(permission)),
      act: { sub: actor, ...(claims.act ? { act: claims.act } : {}) }
    }
    return { token: await signToken(keys, payload), expiresAt }
  }
}

import { permissionsInScope } from '@burgee/contract'
import { listPermissions } from '../../access/permissions/access.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { EXCHANGED_TOKEN_LIFETIME } from '../keys/lifetimes.ts'
import type { SigningKeys } from '../keys/signingKeys.ts'
import type { Generations } from '../revocation/generations.ts'
import { signAccessToken } from './accessTokenClaims.ts'
import type { VerifiedToken } from './accessTokenVerifier.ts'

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
  /** The generation of that client; none for this server. */
  readonly actorGenerations?: Generations
  /** Epoch milliseconds, when the request started. */
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
export function createTokenExchange(dependencies: Dependencies): ExchangeToken {
  return async ({ holder, claims, generations }, { actor, actorGenerations, at, scope = claims.scope }) => {
    const limit = permissionsInScope(scope)
    const expiresAt = Math.min(Math.floor(at / 1000) + EXCHANGED_TOKEN_LIFETIME, claims.exp)
    const contents = {
      subject: holder.id,
      clientId: claims.azp,
      organization: holder.organization,
      permissions: listPermissions(holder.access).filter((permission) => !limit || limit.has(permission)),
      scope,
      at,
      expiresAt,
      generations: { ...generations, ...actorGenerations },
      tokenId: dependencies.ids.id()
    }
    const token = await signAccessToken(dependencies, contents, {
      // A revocation of the token or of its grant ends this token too.
      subject_jti: [claims.jti, ...(claims.subject_jti ?? [])],
      ...(claims.grant_id === undefined ? {} : { grant_id: claims.grant_id }),
      act: { sub: actor, ...(claims.act ? { act: claims.act } : {}) }
    })
    return { token, expiresAt }
  }
}

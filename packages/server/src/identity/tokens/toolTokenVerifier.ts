import { apiScopes, permissionsInScope } from '@burgee/contract'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import type { AccessTokenVerifier } from './accessTokenVerifier.ts'
import type { ProtectedResources } from './protectedResources.ts'
import type { ExchangedToken, ExchangeToken } from './tokenExchange.ts'

/** Finds out who calls the tools of this server. */
export interface ToolTokenVerifier {
  /**
   * Takes tokens for the tools, and for the management API, which is the same server.
   * @throws {ApiError} 401 when the token does not hold; the message says why, and nothing of the token.
   */
  readonly verify: (token: string) => Promise<ToolAuthInfo>
}

/** Whoever calls the tools, as their token says. */
export interface ToolAuthInfo {
  /** As audit entries name them. */
  readonly subject: string
  /** The client that the token was given to. */
  readonly clientId: string
  /** What the token is good for at most: `everything` among them when it limits nothing. */
  readonly scopes: readonly string[]
  /** Epoch seconds. */
  readonly expiresAt: number
  /**
   * A token for the management API in place of this one, which goes no further than here.
   * @throws {ApiError} 401 when the token holds no more.
   */
  readonly exchange: () => Promise<ExchangedToken>
}

interface Dependencies {
  readonly tokens: AccessTokenVerifier
  readonly exchange: ExchangeToken
  readonly resources: () => ProtectedResources
  readonly now: () => number
}

/** Verifies what those show who call the tools of this server, and exchanges it. */
export function createToolTokenVerifier({ tokens, exchange, resources, now }: Dependencies): ToolTokenVerifier {
  const read = (token: string) => {
    const { api, tools } = resources()
    return tokens.verifyFor(token, tools === undefined ? [api] : [tools, api])
  }
  return {
    verify: async (token) => {
      const { holder, claims } = await read(token)
      return {
        subject: holder.id,
        clientId: claims.azp,
        scopes: [...(permissionsInScope(claims.scope) ?? apiScopes)],
        expiresAt: claims.exp,
        exchange: async () => {
          const at = now()
          const held = await read(token)
          return exchange(held, { actor: serverCaller(held.holder.organization).id, at })
        }
      }
    }
  }
}

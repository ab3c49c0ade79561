import { apiScopes, permissionsInScope } from '@burgee/contract'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import { forbidden } from '../../lib/errors.ts'
import type { ProtectedResources } from '../oauth/protectedResources.ts'
import type { AccessTokenVerifier } from './accessTokenVerifier.ts'
import type { ExchangedToken, ExchangeToken } from './tokenExchange.ts'

/** Authenticates callers of the tool endpoint. */
export interface ToolTokenVerifier {
  /**
   * Accepts tokens for the tool endpoint and for the management API, which is the same server.
   * @throws {HttpError} 401 if the token is not valid, 403 if it is one of a CI job; the message has the reason and no
   * part of the token.
   * @throws {RestrictionError} 403 if its client is not accepted from the address.
   */
  readonly verify: (token: string, address: string) => Promise<ToolAuthInfo>
}

/** An authenticated caller of the tool endpoint. */
export interface ToolAuthInfo {
  /** The subject, as audit entries contain it. */
  readonly subject: string
  /** The client to which the token was issued. */
  readonly clientId: string
  /** The scopes of the token; `everything` if unlimited. */
  readonly scopes: readonly string[]
  /** Epoch seconds. */
  readonly expiresAt: number
  /**
   * Exchanges the token for a management API token, which never leaves the server.
   * @throws {HttpError} 401 if the token is no longer valid.
   */
  readonly exchange: () => Promise<ExchangedToken>
}

interface Dependencies {
  readonly tokens: AccessTokenVerifier
  readonly exchange: ExchangeToken
  readonly resources: () => ProtectedResources
  readonly now: () => number
}

/** Creates the verifier of tool endpoint tokens. */
export function createToolTokenVerifier({ tokens, exchange, resources, now }: Dependencies): ToolTokenVerifier {
  const read = async (token: string, address: string) => {
    const { api, tools } = resources()
    const verified = await tokens.verifyFor(token, tools === undefined ? [api] : [tools, api], address)
    if (verified.claims.trust !== undefined) throw forbidden(CI_JOB)
    return verified
  }
  return {
    verify: async (token, address) => {
      const { holder, claims } = await read(token, address)
      return {
        subject: holder.id,
        clientId: claims.azp,
        scopes: [...(permissionsInScope(claims.scope) ?? apiScopes)],
        expiresAt: claims.exp,
        exchange: async () => {
          const at = now()
          const held = await read(token, address)
          return exchange(held, { actor: serverCaller(held.holder.organization).id, at })
        }
      }
    }
  }
}

const CI_JOB = 'CI jobs cannot use the tools: call the management API with this token'

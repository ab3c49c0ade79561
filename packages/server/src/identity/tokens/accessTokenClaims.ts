import type { Permission } from '@burgee/contract'
import type { JWTPayload } from 'jose'
import type { SigningKeys } from '../keys/signingKeys.ts'
import { toIssuer } from '../oauth/toIssuer.ts'
import type { Generations } from '../revocation/generations.ts'
import { signToken } from './jwt.ts'

/** The subject of an access token, and the permissions that it grants. */
export interface AccessTokenContents {
  /** The subject of the holder. */
  readonly subject: string
  /** The client that the token is issued to; the subject itself for a CI job, which has no client. */
  readonly clientId: string
  /** Key of the organization. */
  readonly organization: string
  readonly permissions: readonly Permission[]
  readonly scope: string | undefined
  /** Epoch milliseconds, when the request started. */
  readonly at: number
  /** Epoch seconds. */
  readonly expiresAt: number
  /** As they were before the holder was looked up, so that a revocation since then ends the token. */
  readonly generations: Generations
}

/** Returns the claims that all access tokens have. */
export function accessTokenClaims(contents: AccessTokenContents): JWTPayload {
  const { subject, clientId, organization, permissions, scope, at, expiresAt, generations } = contents
  return {
    sub: subject,
    azp: clientId,
    iat: Math.floor(at / 1000),
    iat_ms: at,
    exp: expiresAt,
    ...(scope ? { scope } : {}),
    org_id: organization,
    permissions,
    generations
  }
}

/** Signs an access token for the management API; `others` are the claims of its kind. */
export function signAccessToken(
  { keys, publicUrl }: { readonly keys: SigningKeys; readonly publicUrl: () => string },
  contents: AccessTokenContents & { readonly tokenId: string },
  others: JWTPayload
): Promise<string> {
  const issuer = toIssuer(publicUrl())
  const ownClaims = { iss: issuer, aud: issuer, client_id: contents.clientId, jti: contents.tokenId }
  return signToken(keys, { ...ownClaims, ...accessTokenClaims(contents), ...others })
}

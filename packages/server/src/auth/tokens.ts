import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import type { TokenCaller } from '../caller.ts'
import { unauthorized } from '../errors.ts'
import type { Store } from '../store/store.ts'
import { issuerOf } from './issuer.ts'
import type { SigningKeys } from './signingKeys.ts'

/** Finds out who holds an access token. */
export interface Tokens {
  /** @throws {ApiError} 401 when the token does not hold; the message says why, and nothing of the token. */
  readonly verify: (token: string) => Promise<Omit<TokenCaller, 'source'>>
}

interface Dependencies {
  readonly store: Store
  readonly keys: SigningKeys
  readonly now: () => number
  /** The address under which callers reach the server; known once it listens. */
  readonly publicUrl: () => string
}

/** Verifies the access tokens of this server's own authorization server. */
export function createTokens({ store, keys, now, publicUrl }: Dependencies): Tokens {
  const keySet = createLocalJWKSet({ keys: [...keys.publicJwks] })
  return {
    verify: async (token) => {
      const issuer = issuerOf(publicUrl())
      const expected = {
        algorithms: ['RS256'],
        typ: 'at+jwt',
        issuer,
        audience: [issuer, issuer.slice(0, -1)],
        requiredClaims: ['exp'],
        currentDate: new Date(now())
      }
      const verified = await jwtVerify(token, keySet, expected).catch((error) => {
        throw unauthorized(reasonOf(error, issuer))
      })
      return callerOf(verified.payload, store)
    }
  }
}

function reasonOf(error: unknown, issuer: string): string {
  if (error instanceof errors.JWTExpired) return 'jwt expired'
  const known = error instanceof errors.JOSEError ? error.message : 'it cannot be read'
  const isElsewhere = error instanceof errors.JWTClaimValidationFailed && ['iss', 'aud'].includes(error.claim)
  return `the token is not valid: ${known}${isElsewhere ? `; it should be ${issuer}` : ''}`
}

const Claims = z.object({ sub: z.string(), azp: z.string(), iat: z.number(), permissions: z.array(z.string()) })

/** Looks the client up each time, so that one that is removed or loses a permission feels it at once. */
async function callerOf(payload: JWTPayload, store: Store): Promise<Omit<TokenCaller, 'source'>> {
  const { success, data } = Claims.safeParse(payload)
  if (!success) throw unauthorized('the token is not valid: it does not say who may do what')
  const client = await store.collection('clients').get({ clientId: data.azp })
  if (!client) throw unauthorized('the token is not valid: its client is not known any more')
  // A token says the second of its issue.
  if (client.secretChangedAt && (data.iat + 1) * 1000 <= Date.parse(client.secretChangedAt)) {
    throw unauthorized('the token is not valid: the secret of its client was replaced')
  }
  const granted = new Set(data.permissions)
  return {
    id: data.sub,
    name: client.name,
    organization: client._organization,
    permissions: new Set(client.permissions.filter((permission) => granted.has(permission)))
  }
}

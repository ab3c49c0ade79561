import { createLocalJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import { identityOfClient, identityOfUser, subjectOf } from '../access/identify.ts'
import type { Identity } from '../caller.ts'
import { type ApiError, unauthorized } from '../errors.ts'
import type { StoredClient } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { issuerOf } from './issuer.ts'
import type { SigningKeys } from './signingKeys.ts'

/** Finds out who holds an access token. */
export interface Tokens {
  /** @throws {ApiError} 401 when the token does not hold; the message says why, and nothing of the token. */
  readonly verify: (token: string) => Promise<Identity>
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
  const findKey = keyFinder(keys)
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
      const verified = await jwtVerify(token, findKey, expected).catch((error) => {
        throw unauthorized(reasonOf(error, issuer))
      })
      // Whatever it is good for later, nobody here has signed it yet.
      if (Number(verified.payload.iat) * 1000 > now() + TOLERANCE_MS) throw refused('its iat is in the future')
      return holderOf(verified.payload, store)
    }
  }
}

/** How far the clocks of servers that share their keys may differ. */
const TOLERANCE_MS = 5_000

/** Finds the key that a token names, among those there are at the moment. One that names none could be meant for any. */
export function keyFinder(keys: Pick<SigningKeys, 'publicJwks'>): JWTVerifyGetKey {
  let known: { readonly publicJwks: unknown; readonly find: JWTVerifyGetKey } | undefined
  return async (header, token) => {
    if (typeof header.kid !== 'string') throw new errors.JWKSNoMatchingKey('it names no key (kid)')
    const { publicJwks } = keys
    if (known?.publicJwks !== publicJwks) known = { publicJwks, find: createLocalJWKSet({ keys: [...publicJwks] }) }
    return known.find(header, token)
  }
}

/** Why a token does not hold, without a word of it. */
export function reasonOf(error: unknown, audience: string): string {
  if (error instanceof errors.JWTExpired) return 'jwt expired'
  const known = error instanceof errors.JOSEError ? error.message : 'it cannot be read'
  const isElsewhere = error instanceof errors.JWTClaimValidationFailed && ['iss', 'aud'].includes(error.claim)
  return `the token is not valid: ${known}${isElsewhere ? `; it should be ${audience}` : ''}`
}

const Claims = z.object({
  sub: z.string(),
  azp: z.string(),
  iat: z.number(),
  /** The millisecond of its issue. Tokens from before version 3 of the store have only the second. */
  iat_ms: z.number().optional(),
  permissions: z.array(z.string())
})
type Claims = z.infer<typeof Claims>

/** Looks those up whom the token names each time, so that one who is removed or loses a permission feels it at once. */
async function holderOf(payload: JWTPayload, store: Store): Promise<Identity> {
  const { success, data } = Claims.safeParse(payload)
  if (!success) throw refused('it does not say who may do what')
  const client = await store.collection('clients').get({ clientId: data.azp })
  if (!client) throw refused('its client is not known any more')
  if (isBefore(data, client.createdAt)) throw refused('its client is not known any more')
  if (isBefore(data, client.secretChangedAt)) throw refused('the secret of its client was replaced')
  if (isBefore(data, client.signedOutAt)) throw refused('its client was changed')
  const identity = data.sub === subjectOf(client) ? identityOfClient(client) : await personOf(data, client, store)
  // What was granted since takes another token.
  const { access } = identity
  const told = new Set(data.permissions)
  return {
    ...identity,
    access: {
      ...access,
      allows: (permission, project) => told.has(permission) && access.allows(permission, project),
      allowsSomewhere: (permission) => told.has(permission) && access.allowsSomewhere(permission)
    }
  }
}

async function personOf(claims: Claims, client: StoredClient, store: Store): Promise<Identity> {
  const user = await store.collection('users').get({ userId: claims.sub })
  const organization = user && (await store.collection('organizations').get({ key: user._organization }))
  if (!organization) throw refused('its holder is not known any more')
  if (user.isDisabled) throw refused('its holder is disabled')
  if (isBefore(claims, user.signedOutAt)) throw refused('its holder was signed out')
  return identityOfUser(user, organization, client)
}

/** Whether a token was issued before a moment. */
function isBefore({ iat, iat_ms = iat * 1000 + 999 }: Claims, moment: string | undefined): boolean {
  return moment !== undefined && iat_ms < Date.parse(moment)
}

function refused(why: string): ApiError {
  return unauthorized(`the token is not valid: ${why}`)
}

import { createLocalJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import { clientIdOf, identityOfClient, identityOfUser, subjectOf } from '../access/identify.ts'
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
  /** The same of a token that is for one of these, as its `aud` names them. @throws {ApiError} 401 */
  readonly read: (token: string, audiences: readonly string[]) => Promise<HeldToken>
}

/** An access token that holds: who has it, and what it says. */
export interface HeldToken {
  readonly holder: Identity
  readonly claims: Claims
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
  const read: Tokens['read'] = async (token, audiences) => {
    const issuer = issuerOf(publicUrl())
    const expected = {
      algorithms: ['RS256'],
      typ: 'at+jwt',
      issuer,
      // A slash at the end makes no difference.
      audience: audiences.flatMap((audience) => [audience, audience.replace(/\/$/, '')]),
      requiredClaims: ['exp'],
      currentDate: new Date(now())
    }
    const { payload } = await jwtVerify(token, findKey, expected).catch((error) => {
      throw unauthorized(reasonOf(error, { iss: issuer, aud: audiences.join(' or ') }))
    })
    // Whatever it is good for later, nobody here has signed it yet.
    if (Number(payload.iat) * 1000 > now() + TOLERANCE_MS) throw refused('its iat is in the future')
    const { success, data: claims } = Claims.safeParse(payload)
    if (!success) throw refused('it does not say who may do what')
    return { holder: await holderOf(claims, store), claims }
  }
  return {
    read,
    verify: async (token) => (await read(token, [issuerOf(publicUrl())])).holder
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
export function reasonOf(error: unknown, expected: { readonly iss: string; readonly aud: string }): string {
  if (error instanceof errors.JWTExpired) return 'jwt expired'
  const known = error instanceof errors.JOSEError ? error.message : 'it cannot be read'
  const claim = error instanceof errors.JWTClaimValidationFailed ? error.claim : undefined
  const right = claim === 'iss' || claim === 'aud' ? `; it should be ${expected[claim]}` : ''
  return `the token is not valid: ${known}${right}`
}

const Claims = z.object({
  sub: z.string(),
  azp: z.string(),
  iat: z.number(),
  /** The millisecond of its issue. Tokens from before version 3 of the store have only the second. */
  iat_ms: z.number().optional(),
  exp: z.number(),
  scope: z.string().optional(),
  permissions: z.array(z.string()),
  /** Who exchanged another token for it (RFC 8693 §4.1). */
  act: z.looseObject({ sub: z.string() }).optional()
})
type Claims = z.infer<typeof Claims>

/** Looks those up whom the token names each time, so that one who is removed or loses a permission feels it at once. */
async function holderOf(claims: Claims, store: Store): Promise<Identity> {
  const client = await clientOf(claims.azp, claims, store)
  const exchanger = clientIdOf(claims.act?.sub ?? '')
  if (exchanger !== undefined) await clientOf(exchanger, claims, store)
  const identity = claims.sub === subjectOf(client) ? identityOfClient(client) : await personOf(claims, client, store)
  // What was granted since takes another token.
  const { access } = identity
  const told = new Set(claims.permissions)
  return {
    ...identity,
    access: {
      ...access,
      allows: (permission, project) => told.has(permission) && access.allows(permission, project),
      allowsSomewhere: (permission) => told.has(permission) && access.allowsSomewhere(permission)
    }
  }
}

async function clientOf(clientId: string, claims: Claims, store: Store): Promise<StoredClient> {
  const client = await store.collection('clients').get({ clientId })
  if (!client) throw refused('its client is not known any more')
  if (isBefore(claims, client.createdAt)) throw refused('its client is not known any more')
  if (isBefore(claims, client.secretChangedAt)) throw refused('the secret of its client was replaced')
  if (isBefore(claims, client.signedOutAt)) throw refused('its client was changed')
  return client
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

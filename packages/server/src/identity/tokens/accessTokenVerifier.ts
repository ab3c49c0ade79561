import { createLocalJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Identity } from '../../access/permissions/caller.ts'
import {
  formatClientSubject,
  parseClientSubject,
  toClientIdentity,
  toUserIdentity
} from '../../access/permissions/findIdentity.ts'
import { type ApiError, unauthorized } from '../../lib/errors.ts'
import type { StoredClient } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import type { SigningKeys } from '../keys/signingKeys.ts'
import { toIssuer } from './toIssuer.ts'

/** Finds out who holds an access token. */
export interface AccessTokenVerifier {
  /** @throws {ApiError} 401 when the token does not hold; the message says why, and nothing of the token. */
  readonly verify: (token: string) => Promise<Identity>
  /** The same of a token that is for one of these, as its `aud` names them. @throws {ApiError} 401 */
  readonly verifyFor: (token: string, audiences: readonly string[]) => Promise<VerifiedToken>
}

/** An access token that holds: who has it, and what it says. */
export interface VerifiedToken {
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
export function createAccessTokenVerifier({ store, keys, now, publicUrl }: Dependencies): AccessTokenVerifier {
  const findKey = createKeyResolver(keys)
  const read: AccessTokenVerifier['verifyFor'] = async (token, audiences) => {
    const issuer = toIssuer(publicUrl())
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
      throw unauthorized(describeTokenError(error, { iss: issuer, aud: audiences.join(' or ') }))
    })
    // Whatever it is good for later, nobody here has signed it yet.
    if (Number(payload.iat) * 1000 > now() + TOLERANCE_MS) throw refused('its iat is in the future')
    const { success, data: claims } = Claims.safeParse(payload)
    if (!success) throw refused('it does not say who may do what')
    return { holder: await getHolder(claims, store), claims }
  }
  return {
    verifyFor: read,
    verify: async (token) => (await read(token, [toIssuer(publicUrl())])).holder
  }
}

/** How far the clocks of servers that share their keys may differ. */
const TOLERANCE_MS = 5_000

/** Finds the key that a token names, among those there are at the moment. One that names none could be meant for any. */
export function createKeyResolver(keys: Pick<SigningKeys, 'publicJwks'>): JWTVerifyGetKey {
  let known: { readonly publicJwks: unknown; readonly find: JWTVerifyGetKey } | undefined
  return async (header, token) => {
    if (typeof header.kid !== 'string') throw new errors.JWKSNoMatchingKey('it names no key (kid)')
    const { publicJwks } = keys
    if (known?.publicJwks !== publicJwks) known = { publicJwks, find: createLocalJWKSet({ keys: [...publicJwks] }) }
    return known.find(header, token)
  }
}

/** Why a token does not hold, without a word of it. */
export function describeTokenError(error: unknown, expected: { readonly iss: string; readonly aud: string }): string {
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
async function getHolder(claims: Claims, store: Store): Promise<Identity> {
  const client = await getTokenClient(claims.azp, claims, store)
  const exchanger = parseClientSubject(claims.act?.sub ?? '')
  if (exchanger !== undefined) await getTokenClient(exchanger, claims, store)
  const identity =
    claims.sub === formatClientSubject(client) ? toClientIdentity(client) : await getTokenPerson(claims, client, store)
  // What was granted since takes another token.
  const { access } = identity
  const granted = new Set(claims.permissions)
  return {
    ...identity,
    access: {
      ...access,
      allows: (permission, project) => granted.has(permission) && access.allows(permission, project),
      allowsAnywhere: (permission) => granted.has(permission) && access.allowsAnywhere(permission)
    }
  }
}

async function getTokenClient(clientId: string, claims: Claims, store: Store): Promise<StoredClient> {
  const client = await store.collection('clients').get({ clientId })
  if (!client) throw refused('its client is not known any more')
  if (isBefore(claims, client.createdAt)) throw refused('its client is not known any more')
  if (isBefore(claims, client.secretChangedAt)) throw refused('the secret of its client was replaced')
  if (isBefore(claims, client.signedOutAt)) throw refused('its client was changed')
  return client
}

async function getTokenPerson(claims: Claims, client: StoredClient, store: Store): Promise<Identity> {
  const user = await store.collection('users').get({ userId: claims.sub })
  const organization = user && (await store.collection('organizations').get({ key: user._organization }))
  if (!organization) throw refused('its holder is not known any more')
  if (user.isDisabled) throw refused('its holder is disabled')
  if (isBefore(claims, user.signedOutAt)) throw refused('its holder was signed out')
  return toUserIdentity(user, organization, client)
}

/** Whether a token was issued before a moment. */
function isBefore({ iat, iat_ms = iat * 1000 + 999 }: Claims, moment: string | undefined): boolean {
  return moment !== undefined && iat_ms < Date.parse(moment)
}

function refused(why: string): ApiError {
  return unauthorized(`the token is not valid: ${why}`)
}

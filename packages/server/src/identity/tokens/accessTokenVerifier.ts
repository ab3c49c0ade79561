import { permissionsInScope } from '@burgee/contract'
import { Workload } from '@burgee/contract/schemas'
import { jwtVerify } from 'jose'
import { z } from 'zod'
import type { Identity } from '../../access/permissions/caller.ts'
import {
  formatClientSubject,
  parseClientSubject,
  toClientIdentity,
  toUserIdentity
} from '../../access/permissions/findIdentity.ts'
import { isTrustActive, toWorkloadIdentity } from '../../access/permissions/workloadIdentity.ts'
import { type ClientUse, findClientRefusal } from '../../access/restrictions/clientRefusal.ts'
import { RestrictionError } from '../../access/restrictions/restrictionError.ts'
import { type HttpError, unauthorized } from '../../lib/errors.ts'
import type { StoredClient } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { CLOCK_TOLERANCE_MS, EXCHANGED_TOKEN_LIFETIME, lifetimes, WORKLOAD_TOKEN_LIFETIME } from '../keys/lifetimes.ts'
import type { SigningKeys } from '../keys/signingKeys.ts'
import { toIssuer } from '../oauth/toIssuer.ts'
import {
  type Generations,
  isEndedByClient,
  isEndedByTrust,
  isEndedByUser,
  isEndedForApplication,
  readGenerations
} from '../revocation/generations.ts'
import { findRevocation } from '../revocation/revocations.ts'
import { createKeyResolver, describeTokenError, RETIRED_KEY } from './jwt.ts'

/** Verifies access tokens. */
export interface AccessTokenVerifier {
  /**
   * Returns the holder of a token in a request from an address.
   * @throws {HttpError} 401 if the token is not valid; the message has the reason and no part of the token.
   * @throws {RestrictionError} 403 if its client is not accepted from the address.
   */
  readonly verify: (token: string, address: string) => Promise<Identity>
  /** Same as `verify`, for tokens whose `aud` is one of these. Without an address, networks are not checked. */
  readonly verifyFor: (
    token: string,
    audiences: readonly string[],
    address: string | undefined
  ) => Promise<VerifiedToken>
}

/** A valid access token: its holder and its claims. */
export interface VerifiedToken {
  readonly holder: Identity
  readonly claims: Claims
  /** As they were when the token was issued; if it lacks them, from before it was verified. */
  readonly generations: Generations
}

interface Dependencies {
  readonly store: Store
  readonly keys: SigningKeys
  readonly now: () => number
  /** The public URL of the server, known once it listens. */
  readonly publicUrl: () => string
}

/** Verifies the access tokens that this server issued. */
export function createAccessTokenVerifier({ store, keys, now, publicUrl }: Dependencies): AccessTokenVerifier {
  const findKey = createKeyResolver(keys)
  const read: AccessTokenVerifier['verifyFor'] = async (token, audiences, address) => {
    const issuer = toIssuer(publicUrl())
    const expected = {
      algorithms: ['RS256'],
      typ: 'at+jwt',
      issuer,
      // Audiences are accepted with and without a trailing slash.
      audience: audiences.flatMap((audience) => [audience, audience.replace(/\/$/, '')]),
      requiredClaims: ['exp'],
      currentDate: new Date(now())
    }
    const { payload, protectedHeader } = await jwtVerify(token, findKey, expected).catch((error) => {
      throw unauthorized(describeTokenError(error, token, { iss: issuer, aud: audiences.join(' or ') }))
    })
    // A token with a later issue time was not issued by this server.
    if (Number(payload.iat) * 1000 > now() + CLOCK_TOLERANCE_MS) throw invalidToken('its iat is in the future')
    const { success, data: claims } = Claims.safeParse(payload)
    if (!success) throw invalidToken('it lacks claims about its holder and permissions')
    if (keys.isRetiredBefore(protectedHeader.kid, claims.iat)) throw invalidToken(RETIRED_KEY)
    assertLifetime(claims)
    const { sub, azp } = claims
    const generations = claims.generations ?? (await readGenerations(store, { accountId: sub, clientId: azp }))
    await assertNotRevoked(claims, store)
    return { holder: await getHolder(claims, store, { address, now: now() }), claims, generations }
  }
  return {
    verifyFor: read,
    verify: async (token, address) => (await read(token, [toIssuer(publicUrl())], address)).holder
  }
}

const Claims = z.object({
  sub: z.string(),
  azp: z.string(),
  iat: z.number(),
  /** The issue time in milliseconds. Tokens that predate version 3 of the store have only seconds. */
  iat_ms: z.number().optional(),
  exp: z.number(),
  jti: z.string(),
  /** The grant of the person. Tokens of clients have none. */
  grant_id: z.string().optional(),
  /** The `jti` of the token that was exchanged for this one, and those that were exchanged for it. */
  subject_jti: z.array(z.string()).optional(),
  /** When and how the person signed in (RFC 9068 §2.2.1). */
  auth_time: z.number().optional(),
  amr: z.array(z.string()).optional(),
  scope: z.string().optional(),
  permissions: z.array(z.string()),
  /** The client that exchanged another token for this one (RFC 8693 §4.1). */
  act: z.looseObject({ sub: z.string() }).optional(),
  /** The id of the trust of a CI job. Absent from tokens of people and clients. */
  trust: z.string().optional(),
  workload: Workload.optional(),
  /** Absent from tokens of earlier versions. */
  generations: z.record(z.string(), z.string()).optional()
})
type Claims = z.infer<typeof Claims>

/**
 * Asserts that the lifetime of a token is within the maximum of its kind.
 * @throws {HttpError} 401
 */
function assertLifetime({ sub, iat, exp, act, trust }: Claims): void {
  const { ClientCredentials, AccessToken } = lifetimes
  const ofIdentity = parseClientSubject(sub) === undefined ? AccessToken : ClientCredentials
  const ofHolder = trust === undefined ? ofIdentity : WORKLOAD_TOKEN_LIFETIME
  const longest = act ? EXCHANGED_TOKEN_LIFETIME : ofHolder
  const lifetime = exp - iat
  if (lifetime > longest) throw invalidToken(`its lifetime is ${lifetime} s, longer than ${longest} s`)
}

/** Asserts that neither a token nor its origin was revoked. @throws {HttpError} 401 */
async function assertNotRevoked(claims: Claims, store: Store): Promise<void> {
  const { jti, subject_jti = [], grant_id, sub, azp } = claims
  for (const id of [jti, ...subject_jti]) if (await findRevocation(store, 'token', id)) throw invalidToken(REVOKED)
  if (grant_id !== undefined && (await findRevocation(store, 'grant', grant_id))) throw invalidToken(REVOKED)
  const application = { accountId: sub, clientId: azp }
  if (await isEndedForApplication(issueOf(claims), application, store)) throw invalidToken(REVOKED)
}

const REVOKED = 'it was revoked'

/** Looks up the subject of a token at each request, so that deletions and changed permissions apply at once. */
async function getHolder(claims: Claims, store: Store, use: ClientUse): Promise<Identity> {
  if (claims.trust !== undefined)
    return withPermissions(await getWorkload(claims, claims.trust, store, use.now), claims)
  const client = await getTokenClient(claims.azp, claims, store)
  const exchanger = parseClientSubject(claims.act?.sub ?? '')
  const clients = exchanger === undefined ? [client] : [client, await getTokenClient(exchanger, claims, store)]
  const identity =
    claims.sub === formatClientSubject(client) ? toClientIdentity(client) : await getTokenPerson(claims, client, store)
  for (const one of clients) assertClientAccepted(one, use, identity)
  const isLimited = permissionsInScope(claims.scope) !== undefined || client.permissions !== undefined
  return { ...withPermissions(identity, claims), isLimited }
}

/** Limits an identity to the permissions of its token. Permissions granted later require a new token. */
function withPermissions(identity: Identity, claims: Claims): Identity {
  const { access } = identity
  const granted = new Set(claims.permissions)
  const { auth_time, amr = [], jti, exp } = claims
  return {
    ...identity,
    expiresAt: exp * 1000,
    ...(auth_time === undefined ? {} : { signIn: { at: auth_time * 1000, methods: amr, origin: jti } }),
    access: {
      ...access,
      allows: (permission, project) => granted.has(permission) && access.allows(permission, project),
      allowsAnywhere: (permission) => granted.has(permission) && access.allowsAnywhere(permission)
    }
  }
}

async function getWorkload(claims: Claims, trustId: string, store: Store, now: number): Promise<Identity> {
  const trust = await store.collection('workloadTrusts').get({ _id: trustId })
  if (!trust) throw invalidToken('its trust no longer exists')
  if (!isTrustActive(trust, now)) throw invalidToken('its trust is disabled or has expired')
  if (isEndedByTrust(issueOf(claims), trust)) throw invalidToken('its trust was changed')
  return toWorkloadIdentity(trust, claims.workload)
}

/** @throws {HttpError} 401 if the client of a token has expired, 403 if it is not accepted from the address. */
function assertClientAccepted(client: StoredClient, use: ClientUse, { id }: Identity): void {
  const refusal = findClientRefusal(client, use)
  if (!refusal) return
  const { status, restriction, message, caller } = refusal
  const reason = restriction === 'expired' ? `the token is not valid: ${message}` : message
  throw new RestrictionError(status, restriction, reason, { ...caller, idp_user: id })
}

async function getTokenClient(clientId: string, claims: Claims, store: Store): Promise<StoredClient> {
  const client = await store.collection('clients').get({ clientId })
  if (!client) throw invalidToken('its client no longer exists')
  const { secretChangedAt = '', signedOutAt = '' } = client
  if (isEndedByClient(issueOf(claims), client)) {
    if (signedOutAt > secretChangedAt) throw invalidToken('its client was changed')
    throw invalidToken(secretChangedAt === '' ? 'its client no longer exists' : 'the secret of its client was replaced')
  }
  return client
}

async function getTokenPerson(claims: Claims, client: StoredClient, store: Store): Promise<Identity> {
  const user = await store.collection('users').get({ userId: claims.sub })
  const organization = user && (await store.collection('organizations').get({ key: user._organization }))
  if (!organization) throw invalidToken('its holder no longer exists')
  if (user.isDisabled) throw invalidToken('its holder is disabled')
  if (isEndedByUser(issueOf(claims), user)) throw invalidToken('its holder was signed out')
  return toUserIdentity(user, organization, client)
}

/** When and in which generations a token was issued. A time in seconds counts as the end of its second. */
function issueOf({ iat, iat_ms: issuedAt = iat * 1000 + 999, generations }: Claims) {
  return { issuedAt, generations }
}

function invalidToken(reason: string): HttpError {
  return unauthorized(`the token is not valid: ${reason}`)
}

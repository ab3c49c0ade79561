import type { SdkKeyCredential, TokenCredential } from '@burgee/contract'
import { parseSdkKeyType } from '@burgee/contract/access'
import { omitUndefined } from '@burgee/kit'
import type { Context } from 'koa'
import { assertPermissionAnywhere } from '../../../access/permissions/assertPermission.ts'
import type { Identity, TokenCaller } from '../../../access/permissions/caller.ts'
import type { KeyConfigs } from '../../../delivery/configs/configs.ts'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import { findKeyRefusal, type RequestOrigin } from '../../../delivery/configs/keyRestrictions.ts'
import { getBearerToken, parseAuthorization } from '../../../identity/oauth/bearerToken.ts'
import type { StreamTokens } from '../../../identity/tokens/streamTokens.ts'
import { badRequest, forbidden, type HttpError, unauthorized, unavailable } from '../../../lib/errors.ts'
import { normalizeAddress } from '../../../lib/network.ts'
import { CLIENT_SECRET_PREFIX, isDamagedSdkKey, SCIM_TOKEN_PREFIX } from '../../../lib/secrets/checksum.ts'
import type { CallerVerifier } from './limitCallers.ts'
import { parseAssistant, parseChangeSource } from './referrer.ts'

/** The dependencies of the authentication of SDK keys. */
export interface SdkKeyDependencies {
  readonly configs: KeyConfigs
  readonly now: () => number
}

/**
 * Authenticates a request by its SDK key. The `Authorization` header takes precedence over other locations.
 * @throws {HttpError} 401 if the key is missing, unknown or expired, 403 if the operation or a restriction refuses it,
 * 503 if it is not found while configs are missing.
 */
export function authenticateSdkKey(
  ctx: Context,
  credential: SdkKeyCredential,
  dependencies: SdkKeyDependencies
): KeyConfig {
  const key = credential.inPath ? ctx.params.key : findSdkKey(ctx, credential)
  if (!key) throw unauthorized(`an SDK key is missing: it belongs in ${formatLocations(credential)}`)
  if (isDamagedSdkKey(key)) throw refuseKey(ctx, credential, 'damaged_key', key)
  return assertAccepted(ctx, credential, key, dependencies.configs.current(key), dependencies)
}

/**
 * Authenticates a request by the short-lived stream token in its URL, which takes precedence over SDK keys.
 * @throws {HttpError} 401 if the token is not valid or its SDK key no longer exists or has expired, 403 if the
 * operation or a restriction refuses the key.
 */
export async function authenticateStreamToken(
  ctx: Context,
  credential: SdkKeyCredential,
  tokens: StreamTokens,
  dependencies: SdkKeyDependencies
): Promise<KeyConfig> {
  const { token = '' } = ctx.query
  if (Array.isArray(token)) throw badRequest('token should be given once, got it several times')
  const { configs } = dependencies
  const digest = await tokens.verify(token, ctx.get('last-event-id') !== '').catch((error) => {
    assertComplete(configs)
    throw error
  })
  return assertAccepted(ctx, credential, '', configs.currentByDigest(digest), dependencies)
}

/**
 * Asserts that a key which is not found does not exist: SDKs stop for good when their key is refused.
 * @throws {HttpError} 503
 */
function assertComplete(configs: Pick<KeyConfigs, 'isIncomplete'>): void {
  if (configs.isIncomplete()) throw unavailable(UNCHECKED_KEY, UNCHECKED_KEY_RETRY_SECONDS)
}

const UNCHECKED_KEY = 'the SDK key cannot be checked yet: this server does not have the configs of all environments'

const UNCHECKED_KEY_RETRY_SECONDS = 5

const DAMAGED_KEY =
  'the SDK key was mistyped or truncated: its checksum does not match; copy it again from the SDK keys of the environment'
const UNKNOWN_KEY =
  'the SDK key is not known: it may be mistyped or have been invalidated; copy one from the SDK keys of the environment'
const TOKEN_AS_KEY = 'the SDK key is not known: an access token was sent where an SDK key is expected'

/** The form of a signed token (RFC 7515 §3.1). */
const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/

/**
 * Asserts that a key was found, and that the operation and its restrictions accept the request.
 * @throws {HttpError} 401 or 403, or 503 while configs are missing
 */
function assertAccepted(
  ctx: Context,
  credential: SdkKeyCredential,
  key: string,
  caller: KeyConfig | undefined,
  { configs, now }: SdkKeyDependencies
): KeyConfig {
  if (!caller) {
    assertComplete(configs)
    throw refuseKey(ctx, credential, 'unknown_key', key)
  }
  if (caller.restrictions) assertNotRestricted(ctx, credential, caller, now())
  assertKeyType(ctx, credential, caller)
  return caller
}

function assertNotRestricted(ctx: Context, { inPath }: SdkKeyCredential, caller: KeyConfig, now: number): void {
  const from = requestOriginOf(ctx)
  const allowsOrigin = caller.restrictions?.allowsOrigin
  if (allowsOrigin) restrictCors(ctx, from.origin, allowsOrigin)
  const refusal = findKeyRefusal(caller, from, now, inPath ? 403 : 401)
  if (refusal) throw refusal
}

/** Returns the address and the web origin of a request. */
export function requestOriginOf(ctx: Context): RequestOrigin {
  return { address: normalizeAddress(ctx.ip), origin: ctx.get('origin') }
}

/** Limits CORS to the allowed origins of a key; without the restriction, scripts of all origins can read responses. */
function restrictCors(ctx: Context, origin: string, allowsOrigin: (origin: string) => boolean): void {
  ctx.vary('Origin')
  if (origin === '') return
  if (allowsOrigin(origin)) ctx.set('access-control-allow-origin', origin)
  else for (const name of ['access-control-allow-origin', 'access-control-allow-credentials']) ctx.remove(name)
}

function assertKeyType(ctx: Context, { keyTypes }: SdkKeyCredential, caller: KeyConfig): void {
  const { keyType, project, environment } = caller
  if (keyTypes.includes(keyType)) return
  ctx.state.access = { kind: 'sdkKey', reason: 'wrong_key_type', _organization: project._organization }
  ctx.state.accessTarget = { keyType, project: project.key, environment: environment.key }
  throw forbidden(`this operation takes a ${keyTypes.join(' or ')} key, got a ${keyType} key`)
}

/** @throws {HttpError} 401 if the caller sent another credential of this server as an access token. */
function assertNoOtherCredential(token: string): void {
  const issued = 'POST /oauth/token issues access tokens'
  if (parseSdkKeyType(token)) throw toWrongCredential('an SDK key', issued)
  if (token.startsWith(CLIENT_SECRET_PREFIX)) throw toWrongCredential('a client secret', issued)
  if (token.startsWith(SCIM_TOKEN_PREFIX)) throw toWrongCredential('a SCIM token', 'it calls /scim/v2 only')
}

function toWrongCredential(sent: string, hint: string): HttpError {
  return unauthorized(`the token is not valid: ${sent} was sent where an access token is expected; ${hint}`)
}

/**
 * Records the refusal of a key for the access log. The key is arbitrary text, so only its type is recorded. A key in a
 * path is refused with 403: SDKs retry a config document after every other status.
 */
function refuseKey(
  ctx: Context,
  { inPath }: SdkKeyCredential,
  reason: 'damaged_key' | 'unknown_key',
  key: string
): HttpError {
  const keyType = parseSdkKeyType(key)
  ctx.state.access = { kind: 'sdkKey', reason }
  if (keyType !== undefined) ctx.state.accessTarget = { keyType }
  const refuse = inPath ? forbidden : unauthorized
  if (reason === 'damaged_key') return refuse(DAMAGED_KEY)
  return refuse(JWT.test(key) ? TOKEN_AS_KEY : UNKNOWN_KEY)
}

/**
 * Authenticates a request by its access token, or by the session of the dashboard through which it came.
 * @throws {HttpError} 401 if the token is missing or not valid, 403 if its holder lacks the permission or its client is
 * not accepted from the address, 429 if the holder exceeds the rate limit.
 */
export async function authenticateAccessToken(
  ctx: Context,
  { permission }: TokenCredential,
  tokens: CallerVerifier
): Promise<TokenCaller> {
  const address = normalizeAddress(ctx.ip)
  const { dashboardIdentity } = ctx.state
  const source = dashboardIdentity ? 'dashboard' : parseChangeSource(ctx)
  const identity = dashboardIdentity ?? (await verifyBearer(ctx, address, tokens))
  if (dashboardIdentity) await tokens.count(dashboardIdentity.id)
  // MCP tools use the tokens of the people they act for.
  const actor = identity.actor === 'person' && source === 'mcp' ? 'assistant' : identity.actor
  const caller = {
    ...identity,
    actor,
    // An operation without a permission is about the caller, and finds no project.
    requiredPermission: permission ?? 'project:read',
    source,
    address,
    ...omitUndefined({ assistant: dashboardIdentity ? undefined : parseAssistant(ctx) })
  }
  const { id: idp_user, organization: _organization, clientId, assistant } = caller
  ctx.state.access = {
    ...ctx.state.access,
    ...omitUndefined({ idp_user, _organization, clientId, actor, source, assistant })
  }
  if (permission !== undefined) assertPermissionAnywhere(caller, permission)
  return caller
}

function verifyBearer(ctx: Context, address: string, tokens: CallerVerifier): Promise<Identity> {
  const token = getBearerToken(ctx)
  assertNoOtherCredential(token)
  return tokens.verify(token, address)
}

function findSdkKey(ctx: Context, { inQuery, inApiKeyHeader }: SdkKeyCredential): string | undefined {
  const header = parseAuthorization(ctx)
  if (header) return header
  if (inApiKeyHeader && ctx.get('x-api-key')) return ctx.get('x-api-key').trim()
  const inUrl = inQuery ? ctx.query.sdkKey : undefined
  if (Array.isArray(inUrl)) throw badRequest('sdkKey should be given once, got it several times')
  return inUrl
}

function formatLocations({ inQuery, inApiKeyHeader }: SdkKeyCredential): string {
  const others = [inApiKeyHeader ? 'the X-API-Key header' : '', inQuery ? 'the query parameter sdkKey' : '']
  return ['the Authorization header', ...others.filter(Boolean)].join(' or ')
}

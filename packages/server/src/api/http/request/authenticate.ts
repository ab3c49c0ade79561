import type { SdkKeyCredential, TokenCredential } from '@burgee/contract'
import type { Context } from 'koa'
import { assertPermissionAnywhere } from '../../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import type { Configs, KeyConfig } from '../../../delivery/configs/configs.ts'
import type { AccessTokenVerifier } from '../../../identity/tokens/accessTokenVerifier.ts'
import { getBearerToken, parseAuthorization } from '../../../identity/tokens/bearerToken.ts'
import type { StreamTokens } from '../../../identity/tokens/streamTokens.ts'
import { badRequest, forbidden, unauthorized } from '../../../lib/errors.ts'
import { omitUndefined } from '../../../lib/object.ts'
import { parseAssistant } from './parseAssistant.ts'
import { parseChangeSource } from './parseChangeSource.ts'

/**
 * Finds out whose SDK key a request carries. The `Authorization` header wins over the other places.
 * @throws {ApiError} 401 without a key or with an unknown one, 403 when its type may not do this.
 */
export function authenticateSdkKey(ctx: Context, credential: SdkKeyCredential, configs: Configs): KeyConfig {
  if (credential.inPath) return authenticatePath(ctx, credential, configs)
  const key = findSdkKey(ctx, credential)
  if (!key) throw unauthorized(`an SDK key is missing: it belongs in ${formatPlaces(credential)}`)
  const caller = configs.current(key)
  if (!caller) throw unauthorized(JWT.test(key) ? NOT_A_KEY : UNKNOWN)
  assertKeyType(credential, caller)
  return caller
}

/** SDKs give up a key only when it is forbidden (`evaluation.md` §1.3). */
function authenticatePath(ctx: Context, credential: SdkKeyCredential, configs: Configs): KeyConfig {
  const { key = '' } = ctx.params
  const caller = configs.current(key)
  if (!caller) throw forbidden(UNKNOWN)
  assertKeyType(credential, caller)
  return caller
}

/**
 * Finds out which SDK key the short-lived token in a URL was made from. It wins over every other place.
 * @throws {ApiError} 401 with a token that does not hold or whose key is not known any more, 403 when the type of the key may not do this.
 */
export async function authenticateStreamToken(
  ctx: Context,
  credential: SdkKeyCredential,
  tokens: StreamTokens,
  configs: Configs
): Promise<KeyConfig> {
  const { token = '' } = ctx.query
  if (Array.isArray(token)) throw badRequest('token should be given once, got it several times')
  const caller = configs.currentByDigest(await tokens.verify(token, ctx.get('last-event-id') !== ''))
  if (!caller) throw unauthorized(UNKNOWN)
  assertKeyType(credential, caller)
  return caller
}

const UNKNOWN = 'the SDK key is not known: it may be mistyped or have been invalidated'
const NOT_A_KEY = 'the SDK key is not known: an access token was sent where an SDK key is expected'
const NOT_A_TOKEN =
  'the token is not valid: an SDK key was sent where an access token is expected; POST /oauth/token issues access tokens'

/** The form of a signed token (RFC 7515 §3.1). */
const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/

/** The beginning of SDK keys, also of those that were imported. */
const SDK_KEY = /^(dvc_)?(server|client|mobile)[-_]/

function assertKeyType({ keyTypes }: SdkKeyCredential, { keyType }: KeyConfig): void {
  if (!keyTypes.includes(keyType)) throw forbidden(`this takes a ${keyTypes.join(' or ')} key, got a ${keyType} key`)
}

/**
 * Finds out who holds the access token that a request carries.
 * @throws {ApiError} 401 without a token or with one that does not hold, 403 when its holder may not do this.
 */
export async function authenticateAccessToken(
  ctx: Context,
  { permission }: TokenCredential,
  tokens: AccessTokenVerifier
): Promise<TokenCaller> {
  const token = getBearerToken(ctx)
  if (SDK_KEY.test(token)) throw unauthorized(NOT_A_TOKEN)
  const source = parseChangeSource(ctx)
  const identity = await tokens.verify(token)
  // The tools of assistants act for people with tokens of theirs.
  const actor = identity.actor === 'person' && source === 'mcp' ? 'assistant' : identity.actor
  const caller = {
    ...identity,
    actor,
    requiredPermission: permission,
    source,
    ...omitUndefined({ assistant: parseAssistant(ctx) })
  }
  assertPermissionAnywhere(caller, permission)
  return caller
}

function findSdkKey(ctx: Context, { inQuery, inApiKeyHeader }: SdkKeyCredential): string | undefined {
  const header = parseAuthorization(ctx)
  if (header) return header
  if (inApiKeyHeader && ctx.get('x-api-key')) return ctx.get('x-api-key').trim()
  const inUrl = inQuery ? ctx.query.sdkKey : undefined
  if (Array.isArray(inUrl)) throw badRequest('sdkKey should be given once, got it several times')
  return inUrl
}

function formatPlaces({ inQuery, inApiKeyHeader }: SdkKeyCredential): string {
  const others = [inApiKeyHeader ? 'the X-API-Key header' : '', inQuery ? 'the query parameter sdkKey' : '']
  return ['the Authorization header', ...others.filter(Boolean)].join(' or ')
}

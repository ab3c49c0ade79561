import type { SdkKeyCredential, TokenCredential } from '@burgee/contract'
import type { Context } from 'koa'
import { demandSomewhere } from '../access/demand.ts'
import { presented, presentedToken } from '../auth/presented.ts'
import type { StreamTokens } from '../auth/streamTokens.ts'
import type { Tokens } from '../auth/tokens.ts'
import type { SdkCaller, TokenCaller } from '../caller.ts'
import type { Configs } from '../configs/configs.ts'
import { forbidden, invalid, unauthorized } from '../errors.ts'
import { given } from '../given.ts'
import { assistantOf } from './assistant.ts'
import { originOf } from './origin.ts'

/**
 * Finds out whose SDK key a request carries. The `Authorization` header wins over the other places.
 * @throws {ApiError} 401 without a key or with an unknown one, 403 when its type may not do this.
 */
export function authenticateKey(ctx: Context, credential: SdkKeyCredential, configs: Configs): SdkCaller {
  if (credential.inPath) return authenticatePath(ctx, credential, configs)
  const key = presentedKey(ctx, credential)
  if (!key) throw unauthorized(`an SDK key is missing: it belongs in ${places(credential)}`)
  const caller = configs.current(key)
  if (!caller) throw unauthorized(UNKNOWN)
  demandType(credential, caller)
  return caller
}

/** SDKs give up a key only when it is forbidden (`evaluation.md` §1.3). */
function authenticatePath(ctx: Context, credential: SdkKeyCredential, configs: Configs): SdkCaller {
  const { key = '' } = ctx.params
  const caller = configs.current(key)
  if (!caller) throw forbidden(UNKNOWN)
  demandType(credential, caller)
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
): Promise<SdkCaller> {
  const { token = '' } = ctx.query
  if (Array.isArray(token)) throw invalid('token should be given once, got it several times')
  const caller = configs.byDigest(await tokens.verify(token, ctx.get('last-event-id') !== ''))
  if (!caller) throw unauthorized(UNKNOWN)
  demandType(credential, caller)
  return caller
}

const UNKNOWN = 'the SDK key is not known: it may be mistyped or have been invalidated'

function demandType({ keyTypes }: SdkKeyCredential, { keyType }: SdkCaller): void {
  if (!keyTypes.includes(keyType)) throw forbidden(`this takes a ${keyTypes.join(' or ')} key, got a ${keyType} key`)
}

/**
 * Finds out who holds the access token that a request carries.
 * @throws {ApiError} 401 without a token or with one that does not hold, 403 when its holder may not do this.
 */
export async function authenticateToken(
  ctx: Context,
  { permission }: TokenCredential,
  tokens: Tokens
): Promise<TokenCaller> {
  const token = presentedToken(ctx)
  const source = originOf(ctx)
  const identity = await tokens.verify(token)
  // The tools of assistants act for people with tokens of theirs.
  const actor = identity.actor === 'person' && source === 'mcp' ? 'assistant' : identity.actor
  const caller = { ...identity, actor, needs: permission, source, ...given({ assistant: assistantOf(ctx) }) }
  demandSomewhere(caller, permission)
  return caller
}

function presentedKey(ctx: Context, { inQuery, inApiKeyHeader }: SdkKeyCredential): string | undefined {
  const header = presented(ctx)
  if (header) return header
  if (inApiKeyHeader && ctx.get('x-api-key')) return ctx.get('x-api-key').trim()
  const inUrl = inQuery ? ctx.query.sdkKey : undefined
  if (Array.isArray(inUrl)) throw invalid('sdkKey should be given once, got it several times')
  return inUrl
}

function places({ inQuery, inApiKeyHeader }: SdkKeyCredential): string {
  const others = [inApiKeyHeader ? 'the X-API-Key header' : '', inQuery ? 'the query parameter sdkKey' : '']
  return ['the Authorization header', ...others.filter(Boolean)].join(' or ')
}

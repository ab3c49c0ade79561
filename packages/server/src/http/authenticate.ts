import type { SdkKeyCredential, TokenCredential } from '@burgee/contract'
import type { Context } from 'koa'
import { demandSomewhere } from '../access/demand.ts'
import { presented, presentedToken } from '../auth/presented.ts'
import type { Tokens } from '../auth/tokens.ts'
import type { SdkCaller, TokenCaller } from '../caller.ts'
import type { Configs } from '../configs/configs.ts'
import { forbidden, invalid, unauthorized } from '../errors.ts'
import { originOf } from './origin.ts'

/** A caller and the key that says so. */
export interface Authenticated {
  readonly key: string
  readonly caller: SdkCaller
}

/**
 * Finds out whose SDK key a request carries. The `Authorization` header wins over the other places.
 * @throws {ApiError} 401 without a key or with an unknown one, 403 when its type may not do this.
 */
export function authenticateKey(ctx: Context, credential: SdkKeyCredential, configs: Configs): Authenticated {
  const key = presentedKey(ctx, credential)
  if (!key) throw unauthorized(`an SDK key is missing: it belongs in ${places(credential)}`)
  const caller = configs.current(key)
  if (!caller) throw unauthorized('the SDK key is not known: it may be mistyped or have been invalidated')
  if (!credential.keyTypes.includes(caller.keyType)) {
    throw forbidden(`this takes a ${credential.keyTypes.join(' or ')} key, got a ${caller.keyType} key`)
  }
  return { key, caller }
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
  const caller = { ...identity, actor, needs: permission, source }
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

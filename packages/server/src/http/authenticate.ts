import type { SdkKeyCredential } from '@burgee/contract'
import type { Context } from 'koa'
import type { Configs } from '../configs/configs.ts'
import { forbidden, invalid, unauthorized } from '../errors.ts'
import type { SdkCaller } from '../handlers/handler.ts'

/** A caller and the key that says so. */
export interface Authenticated {
  readonly key: string
  readonly caller: SdkCaller
}

/**
 * Finds out whose SDK key a request carries. The `Authorization` header wins over the other places.
 * @throws {ApiError} 401 without a key or with an unknown one, 403 when its type may not do this.
 */
export function authenticate(ctx: Context, credential: SdkKeyCredential, configs: Configs): Authenticated {
  const key = presented(ctx, credential)
  if (!key) throw unauthorized(`an SDK key is missing: it belongs in ${places(credential)}`)
  const caller = configs.current(key)
  if (!caller) throw unauthorized('the SDK key is not known: it may be mistyped or have been invalidated')
  if (!credential.keyTypes.includes(caller.keyType)) {
    throw forbidden(`this takes a ${credential.keyTypes.join(' or ')} key, got a ${caller.keyType} key`)
  }
  return { key, caller }
}

function presented(ctx: Context, { inQuery, inApiKeyHeader }: SdkKeyCredential): string | undefined {
  const header = ctx
    .get('authorization')
    .replace(/^bearer(\s+|$)/i, '')
    .trim()
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

import { decodeJwt } from 'jose'
import type { Context } from 'koa'
import { forbidden, HttpError } from '../../lib/errors.ts'
import type { Store } from '../../storage/store.ts'
import { getBearerToken } from '../oauth/bearerToken.ts'
import { findAccount } from '../provider/findAccount.ts'
import type { AccessTokenVerifier } from '../tokens/accessTokenVerifier.ts'

interface Dependencies {
  readonly tokens: AccessTokenVerifier
  readonly store: Store
}

/**
 * Returns the claims that the token's scope covers (OpenID Connect Core §5.3).
 * @throws {HttpError} 401 without a valid token, 403 for a token without a person.
 */
export async function userinfo(
  ctx: Context,
  { tokens, store }: Dependencies
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const token = getBearerToken(ctx)
    const { id } = await tokens.verify(token, ctx.ip)
    const scopes = String(decodeJwt(token).scope ?? '').split(' ')
    const account = scopes.includes('openid') ? await findAccount(store, id) : undefined
    if (!account) throw forbidden('this requires the token of a person, with the scope openid')
    const { name, picture, email } = await account.claims('userinfo', '', {}, [])
    return {
      sub: id,
      ...(scopes.includes('profile') ? { name, picture } : {}),
      ...(scopes.includes('email') ? { email } : {})
    }
  } catch (error) {
    if (error instanceof HttpError && error.status === 401) ctx.set('www-authenticate', 'Bearer error="invalid_token"')
    throw error
  }
}

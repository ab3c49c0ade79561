import type { Context } from 'koa'
import { unauthorized } from '../../lib/errors.ts'

/** What the `Authorization` header holds, bare or after "Bearer". @throws {ApiError} 401 when there are several. */
export function parseAuthorization(ctx: Context): string {
  const { length } = ctx.req.headersDistinct.authorization ?? []
  if (length > 1) throw unauthorized(`the Authorization header should be given once, got it ${length} times`)
  return ctx
    .get('authorization')
    .replace(/^bearer(\s+|$)/i, '')
    .trim()
}

/** The access token that a request carries. @throws {ApiError} 401 when there is none. */
export function getBearerToken(ctx: Context): string {
  const token = parseAuthorization(ctx)
  if (!token) throw unauthorized('an access token is missing: it belongs in the Authorization header')
  return token
}

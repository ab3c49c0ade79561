import type { Context } from 'koa'
import { unauthorized } from '../../lib/errors.ts'

/**
 * Returns the credential in the `Authorization` header, with or without `Bearer`.
 * @throws {HttpError} 401 if the header is repeated.
 */
export function parseAuthorization(ctx: Context): string {
  const { length } = ctx.req.headersDistinct.authorization ?? []
  if (length > 1) throw unauthorized(`the Authorization header should be given once, got it ${length} times`)
  return toCredential(ctx.get('authorization'))
}

/** Returns the credential of an `Authorization` header. */
export function toCredential(header: string): string {
  return header.replace(/^bearer(\s+|$)/i, '').trim()
}

/** Returns the access token of a request. @throws {HttpError} 401 if there is none. */
export function getBearerToken(ctx: Context): string {
  const token = parseAuthorization(ctx)
  if (!token) throw unauthorized('an access token is missing: it belongs in the Authorization header')
  return token
}

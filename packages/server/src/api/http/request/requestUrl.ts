import type { Context } from 'koa'
import { badRequest } from '../../../lib/errors.ts'

/**
 * Rejects a URL with invalid percent-encoding, which routers and parsers handle differently.
 * @throws {HttpError} 400 that names the part.
 */
export function assertDecodableUrl(ctx: Context): void {
  const part = ctx.originalUrl.split(/[/?&=]/).find((text) => !isDecodable(text))
  if (part === undefined) return
  throw badRequest(
    `"${part.slice(0, 80)}" in the URL is not valid percent-encoding: escapes are "%" and two hexadecimal digits, and encode UTF-8 without NUL`
  )
}

/** Returns the path for use in messages, without the SDK key that paths of config documents contain. */
export function redactPath({ path }: Pick<Context, 'path'>): string {
  return path.startsWith('/config/') ? '/config/…' : path
}

function isDecodable(text: string): boolean {
  try {
    return !decodeURIComponent(text).includes('\0')
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

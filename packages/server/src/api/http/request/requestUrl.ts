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

/** Returns the members of a query. Lists may be written `keys[]=a&keys[]=b`; the brackets are not part of the name. */
export function toQueryMembers(query: Context['query']): Record<string, unknown> {
  // A copy takes a quarter of the time.
  if (!hasLists(query)) return { ...query }
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [isList(name) ? name.slice(0, -2) : name, value])
  )
}

/** Whether a query has lists, whose parameter names differ from the member names. */
export function hasLists(query: Context['query']): boolean {
  return Object.keys(query).some(isList)
}

function isList(name: string): boolean {
  return name.endsWith('[]')
}

/** Returns the path for use in messages, without the SDK key that paths of config documents contain. */
export function redactPath({ path }: Pick<Context, 'path'>): string {
  return path.startsWith('/config/') ? '/config/…' : path
}

/** Whether each percent-encoding in a part of a URL is valid. */
export function isDecodable(text: string): boolean {
  try {
    return !decodeURIComponent(text).includes('\0')
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

import { withoutTrailingSlashes } from '@burgee/kit/text'

/**
 * Returns the issuer identifier, which is also the audience of the management API: the public URL with a trailing
 * slash.
 */
export function toIssuer(publicUrl: string): string {
  return `${withoutTrailingSlashes(publicUrl)}/`
}

/** Returns a path of the server for links: below the path prefix of the public URL. */
export function toPublicPath(publicUrl: string, path: string): string {
  return `${new URL(toIssuer(publicUrl)).pathname.slice(0, -1)}${path}`
}

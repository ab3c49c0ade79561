/**
 * Returns the issuer identifier, which is also the audience of the management API: the public URL with a trailing
 * slash.
 */
export function toIssuer(publicUrl: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/`
}

/** Returns an address without trailing slashes, so that a path can be appended. */
export function withoutTrailingSlashes(address: string): string {
  return address.replace(/\/+$/, '')
}

/** Returns an address to which paths can be appended: without the slashes at its end. */
export function withoutTrailingSlashes(address: string): string {
  return address.replace(/\/+$/, '')
}

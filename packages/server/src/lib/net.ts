/** True for loopback hosts, whose traffic never leaves this computer. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** True for `0.0.0.0` and `::`, which listen on every interface. */
export function isWildcard(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}

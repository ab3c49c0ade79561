/** Whether nothing that is sent to a host leaves this computer. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** Whether listening on an address is listening on all of a computer's, none of which is the one that others know it by. */
export function isWildcard(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}

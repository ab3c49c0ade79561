/** Whether requests to an address cannot be read on the way: https, or loopback. */
export function isSecureAddress(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

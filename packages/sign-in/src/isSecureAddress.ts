/** Whether requests to an address are protected in transit: https, or loopback. */
export function isSecureAddress(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

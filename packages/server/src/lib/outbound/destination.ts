import { isIP } from 'node:net'

/** The destination of an outbound request. */
export interface Destination {
  readonly url: URL
  /** A host name without trailing dot, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** Whether the host is an address. */
  readonly isLiteral: boolean
}

/** Parses a user-supplied URL. Returns the reason as text if it is not usable. */
export function parseDestination(text: string): Destination | string {
  if (!URL.canParse(text)) return 'it is not a URL'
  const url = new URL(text)
  const { protocol, username, password } = url
  if (protocol !== 'http:' && protocol !== 'https:') return `it should be http or https, not ${protocol.slice(0, -1)}`
  if (username !== '' || password !== '') return 'it should not contain a user or a password'
  const host = hostOf(url)
  if (host === '') return 'it has no host'
  const port = url.port === '' ? STANDARD_PORTS[protocol] : Number(url.port)
  return { url, host, port, isLiteral: isIP(host) !== 0 }
}

const STANDARD_PORTS = { 'http:': 80, 'https:': 443 } as const

/** `URL` has normalized IPv4 addresses of every form: octal, hexadecimal, short, or with other digits. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '')
}

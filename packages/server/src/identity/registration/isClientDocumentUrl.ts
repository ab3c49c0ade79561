import { isLoopback } from '../../lib/net.ts'

/** The longest address of a document that is kept as the id of a client, in characters. */
const LONGEST = 500

/**
 * Whether a client id is the address of a document in which the client describes itself: https, or http on this computer, with a
 * path, written as parsers write it, so that two that mean the same are the same text.
 */
export function isClientDocumentUrl(clientId: string): boolean {
  if (clientId.length > LONGEST || !URL.canParse(clientId)) return false
  const { href, protocol, hostname, pathname, username, password } = new URL(clientId)
  const isTrustworthy = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  const isBare = username === '' && password === '' && !clientId.includes('#')
  return isTrustworthy && isBare && href === clientId && pathname !== '/'
}

import { isLoopback } from '../../lib/network.ts'

/** The maximum length of a document URL that serves as a client id, in characters. */
const MAX_LENGTH = 500

/**
 * Whether a client id is the URL of a client metadata document: https, or http on a loopback address, with a path, in
 * normalized form, so that equivalent ids are equal strings.
 */
export function isClientDocumentUrl(clientId: string): boolean {
  if (clientId.length > MAX_LENGTH || !URL.canParse(clientId)) return false
  const { href, protocol, hostname, pathname, username, password } = new URL(clientId)
  const isTrustworthy = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  const isBare = username === '' && password === '' && !clientId.includes('#')
  return isTrustworthy && isBare && href === clientId && pathname !== '/'
}

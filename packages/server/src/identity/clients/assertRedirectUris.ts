import { formatValue } from '@burgee/kit/text'
import { badRequest } from '../../lib/errors.ts'
import { isLoopback } from '../../lib/network.ts'

/**
 * Asserts that redirect URIs are safe to send authorization codes to (RFC 8252, RFC 9700).
 * @throws {HttpError} 400 that names each invalid one.
 */
export function assertRedirectUris(uris: readonly string[]): void {
  const issues = uris.flatMap((uri, index) => {
    const issue = findRedirectUriIssue(uri)
    return issue === undefined ? [] : [`redirectUris.${index} ${issue}, got ${formatValue(uri)}`]
  })
  if (issues.length > 0) throw badRequest(issues)
}

/** Returns what is wrong with a redirect URI, phrased to follow its name. */
function findRedirectUriIssue(uri: string): string | undefined {
  if (!/^[!-~]+$/.test(uri) || !URL.canParse(uri)) return 'should be a URL such as https://app.example.com/callback'
  if (uri.includes('#')) return 'should have no fragment'
  if (uri.includes('*')) return 'should be one address, without wildcards'
  // Parsers disagree about these characters.
  if (uri.includes('\\')) return 'should have no backslash'
  const { protocol, hostname, username, password } = new URL(uri)
  if (username || password) return 'should have no user name or password'
  // A normalized URI that differs could be interpreted differently in a header.
  if (!/^[a-z0-9.:[\]-]*$/i.test(hostname)) return HOST
  if (protocol === 'https:') return undefined
  if (protocol === 'http:') return isLoopback(hostname) ? undefined : HTTP
  return protocol.includes('.') ? undefined : SCHEME
}

const HOST = 'should have a host of letters, digits, dots and hyphens'
const HTTP = 'should be https, or http on 127.0.0.1 or [::1] or localhost'
const SCHEME = 'should be https, or a scheme of its own with a dot such as com.example.app:/callback'

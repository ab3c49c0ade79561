import { ApiError } from './apiError.ts'
import type { ClientCredentials, TokenSource } from './credentials.ts'
import { fetchWithoutRedirect, parseJsonOrText, REQUEST_TIMEOUT_MS } from './transport.ts'

/** Options of `createTokenSource`. */
export interface TokenSourceOptions {
  /** The address of the server, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  readonly credentials: ClientCredentials
  /** Defaults to the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Milliseconds after which a request for a token is aborted. Defaults to 30 seconds. */
  readonly timeoutMs?: number
}

/**
 * Creates a source that requests tokens by the client credentials grant (RFC 6749 §4.4) and renews them a minute before
 * they expire. Concurrent calls share one request.
 */
export function createTokenSource({
  baseUrl,
  credentials,
  fetch: send = fetch,
  timeoutMs = REQUEST_TIMEOUT_MS
}: TokenSourceOptions): TokenSource {
  const { clientId, clientSecret } = credentials
  const url = `${baseUrl.replace(/\/$/, '')}/oauth/token`
  const requestToken = async (): Promise<ExpiringToken> => {
    const response = await fetchWithoutRedirect({ send, timeoutMs }, 'token', url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret
      })
    })
    const text = await response.text()
    if (response.status !== 200) throw new ApiError('token', response.status, parseJsonOrText(text), response.headers)
    const { access_token, expires_in }: TokenResponse = Object(parseJsonOrText(text))
    // The message leaves the response out, which can contain a token.
    if (typeof access_token !== 'string' || typeof expires_in !== 'number')
      throw new SyntaxError(`${url} answered 200 without access_token, a string, and expires_in, a number`)
    return { token: access_token, expiresAt: Date.now() + expires_in * 1000 }
  }
  return cachedTokenSource(requestToken, Date.now, RENEWAL_MARGIN_MS)
}

/** A token and when it expires. */
export interface ExpiringToken {
  readonly token: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/**
 * Creates a source that requests a token on first use, and again `marginMs` before it expires. Concurrent calls share one
 * request; a failed request is not cached.
 */
export function cachedTokenSource(
  request: () => Promise<ExpiringToken>,
  now: () => number,
  marginMs: number
): TokenSource {
  let cached: Promise<ExpiringToken> | undefined

  const renew = (): Promise<ExpiringToken> => {
    const requested = request()
    cached = requested
    requested.catch(() => {
      if (cached === requested) cached = undefined
    })
    return requested
  }

  return {
    getToken: async () => {
      const before = cached
      const { token, expiresAt } = await (before ?? renew())
      if (expiresAt - marginMs > now()) return token
      return (await (cached === undefined || cached === before ? renew() : cached)).token
    },
    invalidate: () => {
      cached = undefined
      return true
    }
  }
}

const RENEWAL_MARGIN_MS = 60_000

interface TokenResponse {
  readonly access_token?: unknown
  readonly expires_in?: unknown
}

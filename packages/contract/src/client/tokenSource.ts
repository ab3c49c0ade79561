import { z } from 'zod'
import { ApiError } from './apiError.ts'
import type { ClientCredentials } from './credentials.ts'
import { fetchWithoutRedirect, parseJsonOrText, REQUEST_TIMEOUT_MS } from './transport.ts'

/** Supplies access tokens for the management API. */
export interface TokenSource {
  /**
   * Returns a valid access token.
   * @param operation The id of the operation that needs it, for error messages.
   * @throws {ApiError} if the authorization server returns an error.
   */
  readonly getToken: (operation: string) => Promise<string>
  /** Discards a token that the API rejected. Returns whether `getToken` can supply another one. */
  readonly invalidate: () => boolean
}

/** Options of `createTokenSource`. */
export interface TokenSourceOptions {
  /** The address of the server, as in `http://127.0.0.1:8080`. */
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
  let cached: Promise<CachedToken> | undefined

  const requestToken = async (): Promise<CachedToken> => {
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
    const { access_token, expires_in } = TokenResponse.parse(JSON.parse(text))
    return { token: access_token, expiresAt: Date.now() + (expires_in - RENEWAL_MARGIN_SECONDS) * 1000 }
  }

  const renew = (): Promise<CachedToken> => {
    const requested = requestToken()
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
      if (expiresAt > Date.now()) return token
      return (await (cached === undefined || cached === before ? renew() : cached)).token
    },
    invalidate: () => {
      cached = undefined
      return true
    }
  }
}

interface CachedToken {
  readonly token: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

const RENEWAL_MARGIN_SECONDS = 60

const TokenResponse = z.object({ access_token: z.string(), expires_in: z.number() })

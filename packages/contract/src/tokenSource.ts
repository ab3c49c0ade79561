import { z } from 'zod'
import { ApiError } from './apiError.ts'
import { fetchWithoutRedirect } from './fetchWithoutRedirect.ts'
import { parseJsonOrText } from './parseJsonOrText.ts'

/** The access token of a client: fetched when it is first needed, renewed before it expires. */
export interface TokenSource {
  /** @throws {ApiError} when the authorization server refuses; {TypeError} without the credentials for it. */
  readonly getToken: (operation: string) => Promise<string>
  /** Lets go of the token, because the API refused it; answers whether another can be had. */
  readonly invalidate: () => boolean
}

/** Whose tokens are wanted, and where from. */
export interface TokenSourceOptions {
  /** As in `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  readonly credentials: { readonly clientId?: string; readonly clientSecret?: string; readonly token?: string }
  /** The `fetch` to use; the platform's when it is left out. */
  readonly fetch?: typeof fetch
}

/** Gets tokens by the client credentials grant (RFC 6749, section 4.4). */
export function createTokenSource({ baseUrl, credentials, fetch: send = fetch }: TokenSourceOptions): TokenSource {
  const { clientId, clientSecret, token: given } = credentials
  const address = baseUrl.replace(/\/$/, '')
  let held: Promise<CachedToken> | undefined

  const fetchToken = async (): Promise<CachedToken> => {
    const response = await fetchWithoutRedirect(send, 'token', `${address}/oauth/token`, {
      method: 'POST',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId ?? '',
        client_secret: clientSecret ?? ''
      })
    })
    const text = await response.text()
    if (response.status !== 200) throw new ApiError('token', response.status, parseJsonOrText(text), response.headers)
    const { access_token, expires_in } = TokenResponse.parse(JSON.parse(text))
    return { token: access_token, expiresAt: Date.now() + (expires_in - RENEWAL_MARGIN_SECONDS) * 1000 }
  }

  /** Callers who come while a token is fetched wait for the same one; a failure is not kept. */
  const renewed = (): Promise<CachedToken> => {
    const fetched = fetchToken()
    held = fetched
    fetched.catch(() => {
      if (held === fetched) held = undefined
    })
    return fetched
  }

  return {
    getToken: async (operation) => {
      if (given !== undefined) return given
      if (!clientId || !clientSecret) {
        throw new TypeError(
          `${operation} needs credentials.clientId and credentials.clientSecret, or credentials.token`
        )
      }
      const before = held
      const one = await (before ?? renewed())
      if (one.expiresAt > Date.now()) return one.token
      return (await (held === undefined || held === before ? renewed() : held)).token
    },
    invalidate: () => {
      held = undefined
      return given === undefined
    }
  }
}

/** How long a server may take for one answer, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 30_000

interface CachedToken {
  readonly token: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** How many seconds before its end a token is renewed. */
const RENEWAL_MARGIN_SECONDS = 60

const TokenResponse = z.object({ access_token: z.string(), expires_in: z.number() })

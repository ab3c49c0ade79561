import { z } from 'zod'
import { ApiError } from './apiError.ts'
import { parsed } from './parsed.ts'
import { sendDirectly } from './sendDirectly.ts'

/** The access token of a client: fetched when it is first needed, renewed before it expires. */
export interface Tokens {
  /** @throws {ApiError} when the authorization server refuses; {TypeError} without the credentials for it. */
  readonly current: (operation: string) => Promise<string>
  /** Lets go of the token, because the API refused it; answers whether another can be had. */
  readonly drop: () => boolean
}

/** Whose tokens are wanted, and where from. */
export interface TokenOptions {
  /** As in `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  readonly credentials: { readonly clientId?: string; readonly clientSecret?: string; readonly token?: string }
  /** The `fetch` to use; the platform's when it is left out. */
  readonly fetch?: typeof fetch
}

/** Gets tokens by the client credentials grant (RFC 6749, section 4.4). */
export function createTokens({ baseUrl, credentials, fetch: send = fetch }: TokenOptions): Tokens {
  const { clientId, clientSecret, token: given } = credentials
  const address = baseUrl.replace(/\/$/, '')
  let held: Promise<Held> | undefined

  const fetchToken = async (): Promise<Held> => {
    const response = await sendDirectly(send, 'token', `${address}/oauth/token`, {
      method: 'POST',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId ?? '',
        client_secret: clientSecret ?? ''
      })
    })
    const text = await response.text()
    if (response.status !== 200) throw new ApiError('token', response.status, parsed(text), response.headers)
    const { access_token, expires_in } = Granted.parse(JSON.parse(text))
    return { token: access_token, until: Date.now() + (expires_in - MARGIN) * 1000 }
  }

  /** Callers who come while a token is fetched wait for the same one; a failure is not kept. */
  const renewed = (): Promise<Held> => {
    const fetched = fetchToken()
    held = fetched
    fetched.catch(() => {
      if (held === fetched) held = undefined
    })
    return fetched
  }

  return {
    current: async (operation) => {
      if (given !== undefined) return given
      if (!clientId || !clientSecret) {
        throw new TypeError(
          `${operation} needs credentials.clientId and credentials.clientSecret, or credentials.token`
        )
      }
      const before = held
      const one = await (before ?? renewed())
      if (one.until > Date.now()) return one.token
      return (await (held === undefined || held === before ? renewed() : held)).token
    },
    drop: () => {
      held = undefined
      return given === undefined
    }
  }
}

/** How long a server may take for one answer, in milliseconds. */
export const PATIENCE_MS = 30_000

interface Held {
  readonly token: string
  /** Epoch milliseconds. */
  readonly until: number
}

/** How many seconds before its end a token is renewed. */
const MARGIN = 60

const Granted = z.object({ access_token: z.string(), expires_in: z.number() })

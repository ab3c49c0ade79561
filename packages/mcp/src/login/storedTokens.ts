import { ApiError, type TokenSource } from '@burgee/contract/client'
import { None, refreshTokenGrant, type TokenEndpointResponse } from 'openid-client'
import { ToolError } from '../results/toolError.ts'
import { messageOf } from '../results/toolFailure.ts'
import type { CredentialFile, SignedIn } from './credentialFile.ts'
import { discover, translateOAuthError } from './discover.ts'
import { SignInError } from './signInError.ts'

interface Dependencies {
  readonly file: CredentialFile
  /** The address of the server, without a trailing slash. */
  readonly apiUrl: string
  readonly now: () => number
}

/** How long before its expiry a token is renewed, in milliseconds. */
const MARGIN_MS = 60_000

/** Returns the tokens of the stored sign-in, renewed before they expire and after the API rejects one. */
export function storedTokens({ file, apiUrl, now }: Dependencies): TokenSource {
  let last: string | undefined
  let rejected: string | undefined

  const isUsable = ({ accessToken, expiresAt }: SignedIn) => {
    return accessToken !== rejected && Date.parse(expiresAt) - MARGIN_MS > now()
  }

  const renew = (): Promise<SignedIn> => {
    return file.change(apiUrl, async (held) => {
      if (!held) throw notSignedIn(apiUrl)
      // Renewed meanwhile by another call or process. Using a refresh token twice would revoke the sign-in.
      if (isUsable(held)) return held
      const tokens = await refreshTokenGrant(await discover(apiUrl, held.clientId, None()), held.refreshToken)
      return { ...held, ...toStoredGrant(tokens, now()) }
    })
  }

  return {
    getToken: async () => {
      try {
        const held = await file.read(apiUrl)
        if (!held) throw notSignedIn(apiUrl)
        const { accessToken } = isUsable(held) ? held : await renew()
        last = accessToken
        return accessToken
      } catch (error) {
        throw toToolError(translateOAuthError(error, apiUrl), apiUrl)
      }
    },
    invalidate: () => {
      rejected = last
      return rejected !== undefined
    }
  }
}

/** Converts a response of the token endpoint for storage. @throws {SignInError} without a refresh token. */
export function toStoredGrant(
  { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds = 0 }: TokenEndpointResponse,
  now: number
): Pick<SignedIn, 'accessToken' | 'refreshToken' | 'expiresAt'> {
  if (!refreshToken) throw new SignInError('the server issued no refresh token: the client cannot be used for sign-in')
  return { accessToken, refreshToken, expiresAt: new Date(now + seconds * 1000).toISOString() }
}

function notSignedIn(apiUrl: string): SignInError {
  return new SignInError(`not signed in to ${apiUrl}: sign in with burgee-mcp login`)
}

/** Reports a missing or ended sign-in as a tool failure. */
function toToolError(error: unknown, apiUrl: string): unknown {
  if (error instanceof SignInError) return new ToolError('AUTHENTICATION_ERROR', error.message, { cause: error })
  if (!(error instanceof ApiError) || ![400, 401].includes(error.status)) return error
  const message = `the sign-in to ${apiUrl} has ended: ${messageOf(error)}; sign in again with burgee-mcp login`
  return new ToolError('AUTHENTICATION_ERROR', message, { cause: error })
}

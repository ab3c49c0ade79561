import { ApiError, type TokenSource } from '@burgee/contract/client'
import { None, refreshTokenGrant, type TokenEndpointResponse } from 'openid-client'
import type { CredentialFile } from './credentials/credentialFile.ts'
import type { SignedIn } from './credentials/signedIn.ts'
import { discover, translateOAuthError } from './discover.ts'
import type { SignInProgram } from './program.ts'
import { SignInError } from './signInError.ts'

interface Dependencies {
  readonly file: Pick<CredentialFile<SignedIn>, 'read' | 'change'>
  /** The address of the server, without a trailing slash. */
  readonly apiUrl: string
  readonly now: () => number
  readonly program: SignInProgram
  /** Sends the requests; limits the size of responses. */
  readonly send?: typeof fetch
}

/** How long before its expiry a token is renewed, in milliseconds. */
const MARGIN_MS = 60_000

/** Returns the tokens of the stored sign-in, renewed before they expire and after the API rejects one. */
export function storedTokens({ file, apiUrl, now, program, send }: Dependencies): TokenSource {
  let last: string | undefined
  let rejected: string | undefined

  const isUsable = ({ accessToken, expiresAt }: SignedIn) => {
    return accessToken !== rejected && Date.parse(expiresAt) - MARGIN_MS > now()
  }

  const renew = (): Promise<SignedIn> => {
    return file.change(apiUrl, async (held) => {
      if (!held) throw notSignedIn(apiUrl, program)
      // Renewed meanwhile by another call or process. Using a refresh token twice would revoke the sign-in.
      if (isUsable(held)) return held
      const server = await discover(apiUrl, held.clientId, None(), program, send)
      const tokens = await refreshTokenGrant(server, held.refreshToken)
      return { ...held, ...toStoredGrant(tokens, now()) }
    })
  }

  return {
    getToken: async () => {
      try {
        const held = await file.read(apiUrl)
        if (!held) throw notSignedIn(apiUrl, program)
        const { accessToken } = isUsable(held) ? held : await renew()
        last = accessToken
        return accessToken
      } catch (error) {
        throw toSignInError(translateOAuthError(error, apiUrl), apiUrl, program)
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
  return {
    accessToken,
    refreshToken,
    expiresAt: new Date(now + Math.min(seconds, MAX_LIFETIME_S) * 1000).toISOString()
  }
}

/** A server can name a lifetime that no date can have. */
const MAX_LIFETIME_S = 366 * 24 * 60 * 60

function notSignedIn(apiUrl: string, program: SignInProgram): SignInError {
  return new SignInError(`not signed in to ${apiUrl}: sign in with ${loginCommand(apiUrl, program)}`)
}

function loginCommand(apiUrl: string, { name, serverFlag }: SignInProgram): string {
  return `${name} login ${serverFlag} ${apiUrl}`
}

/** Reports a refused refresh token as an ended sign-in. */
function toSignInError(error: unknown, apiUrl: string, program: SignInProgram): unknown {
  if (!(error instanceof ApiError) || ![400, 401].includes(error.status)) return error
  const reason = error.detail ?? error.message
  const command = loginCommand(apiUrl, program)
  return new SignInError(`the sign-in to ${apiUrl} has ended: ${reason}; sign in again with ${command}`, {
    cause: error
  })
}

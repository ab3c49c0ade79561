import type { TokenEndpointResponse } from 'openid-client'
import type { SignedIn } from './credentialFile.ts'
import { SignInError } from './signInError.ts'

/** The tokens of an answer of the token endpoint, as they are kept. */
export function grantOf(
  { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds = 0 }: TokenEndpointResponse,
  now: number
): Pick<SignedIn, 'accessToken' | 'refreshToken' | 'expiresAt'> {
  if (!refreshToken)
    throw new SignInError('the server gave no refresh token: its client is not one that people sign in to')
  return { accessToken, refreshToken, expiresAt: new Date(now + seconds * 1000).toISOString() }
}

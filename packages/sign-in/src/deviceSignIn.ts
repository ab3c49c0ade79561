import {
  type Configuration,
  initiateDeviceAuthorization,
  pollDeviceAuthorizationGrant,
  ResponseBodyError
} from 'openid-client'
import type { SignedIn } from './credentials/signedIn.ts'
import { translateOAuthError } from './discover.ts'
import { assertWebAddress, openSignIn, type SignInOptions, toSignedIn } from './signIn.ts'
import { SignInError } from './signInError.ts'

export interface DeviceSignInOptions extends Omit<SignInOptions, 'show' | 'timeoutMs'> {
  /** Shows the person where to enter which code. */
  readonly show: (code: UserCode) => Promise<void>
}

/** The code that a person enters in a browser, on any computer. */
export interface UserCode {
  readonly code: string
  /** The address of the page for the code. */
  readonly address: string
  /** The address of the page with the code filled in. */
  readonly completeAddress: string
}

const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/**
 * Signs in with a browser on any computer: the person enters a code there, and this program polls (RFC 8628).
 * @throws {SignInError} if the person declines or takes too long, the client may not use the grant, or the server has no
 * device codes.
 */
export async function deviceSignIn(given: DeviceSignInOptions): Promise<SignedIn> {
  const { apiUrl, scope, hostname, now, show } = given
  try {
    const configuration = await openSignIn(given, ['authorization_code', 'refresh_token', DEVICE_CODE_GRANT])
    if (configuration.serverMetadata().device_authorization_endpoint === undefined) throw noDeviceCodes(apiUrl)
    const started = await initiateDeviceAuthorization(configuration, {
      scope: `openid profile email offline_access ${scope}`,
      device_name: hostname
    }).catch(rethrowRefusal)
    const { user_code: code, verification_uri: address, verification_uri_complete: completeAddress = address } = started
    assertWebAddress('verification_uri', address, apiUrl)
    assertWebAddress('verification_uri_complete', completeAddress, apiUrl)
    await show({ code, address, completeAddress })
    return await toSignedIn(configuration, await poll(configuration, started), now())
  } catch (error) {
    throw translateOAuthError(error, apiUrl)
  }
}

function poll(configuration: Configuration, started: Parameters<typeof pollDeviceAuthorizationGrant>[1]) {
  // The server refuses expired codes too, but a suspended computer should not poll for them.
  const signal = AbortSignal.timeout(Math.min(started.expires_in, MAX_LIFETIME_S) * 1000)
  return pollDeviceAuthorizationGrant(configuration, started, undefined, { signal }).catch((error) => {
    if (signal.aborted) throw new SignInError(refusals.expired_token, { cause: error })
    return rethrowRefusal(error)
  })
}

/** A timeout cannot be longer than 24 days. */
const MAX_LIFETIME_S = 24 * 60 * 60

const refusals = {
  access_denied: 'the sign-in failed: the request was cancelled',
  expired_token: 'the sign-in failed: nobody entered the code in time'
}

function rethrowRefusal(error: unknown): never {
  if (!(error instanceof ResponseBodyError)) throw error
  const { error: code, error_description: description } = error
  const known = Object.hasOwn(refusals, code) ? refusals[code as keyof typeof refusals] : undefined
  const isRefusal = code === 'unauthorized_client' || code === 'invalid_client'
  const message = known ?? (isRefusal ? `the sign-in failed: ${description ?? code}` : undefined)
  throw message === undefined ? error : new SignInError(message, { cause: error })
}

function noDeviceCodes(apiUrl: string): SignInError {
  return new SignInError(`${apiUrl} has no sign-in with a code: its version is older. Sign in with a browser`)
}

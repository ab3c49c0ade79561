import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers
} from 'openid-client'
import { type Callback, openCallback } from './callback.ts'
import type { SignedIn } from './credentials/signedIn.ts'
import { discover, translateOAuthError } from './discover.ts'
import { isSecureAddress } from './isSecureAddress.ts'
import type { SignInProgram } from './program.ts'
import { resolveClientId } from './registerClient.ts'
import { InvalidResponseError, SignInError } from './signInError.ts'
import { toStoredGrant } from './storedTokens.ts'

export interface SignInOptions {
  /** The address of the server, without a trailing slash. */
  readonly apiUrl: string
  /** The id of a public client; empty for the one of the program, or to register one. */
  readonly clientId: string
  /** The scopes of the API, separated by spaces. */
  readonly scope: string
  /** The name of this computer, for the name of a registered client. */
  readonly hostname: string
  /** Shows the address of the sign-in page to the person. */
  readonly show: (address: string) => Promise<void>
  readonly now: () => number
  readonly program: SignInProgram
  /** How long to wait for the redirect. Default: 5 minutes. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 300_000

/**
 * Signs in with a browser: authorization code with PKCE, and a redirect to the loopback interface (RFC 8252).
 * @throws {SignInError} when the person cancels or takes too long, or when responses of the server are invalid.
 */
export async function signIn(given: SignInOptions): Promise<SignedIn> {
  const { apiUrl } = given
  try {
    const configuration = await openSignIn(given)
    assertWebAddress('authorization_endpoint', configuration.serverMetadata().authorization_endpoint, apiUrl)
    const callback = await openCallback(given.timeoutMs ?? TIMEOUT_MS, given.program)
    try {
      return await authorize(configuration, callback, given)
    } finally {
      callback.close()
    }
  } catch (error) {
    throw translateOAuthError(error, apiUrl)
  }
}

/**
 * Returns the metadata of the server and the client of a sign-in, which is registered if none is given.
 * @param grantTypes The grants of a client that is registered. Default: those of a sign-in with a redirect.
 * @throws {SignInError} if the address of the server is not secure, or it does not allow registration.
 */
export async function openSignIn(
  given: Pick<SignInOptions, 'apiUrl' | 'clientId' | 'hostname' | 'program'>,
  grantTypes?: readonly string[]
): Promise<Configuration> {
  const { apiUrl, program } = given
  if (!isSecureAddress(apiUrl)) {
    throw new SignInError(`${apiUrl} would receive tokens unencrypted: use an https address`)
  }
  return discover(apiUrl, await resolveClientId(given, grantTypes), None(), program)
}

async function authorize(
  configuration: Configuration,
  callback: Callback,
  { show, now, scope }: SignInOptions
): Promise<SignedIn> {
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
  const address = buildAuthorizationUrl(configuration, {
    redirect_uri: callback.address,
    scope: `openid profile email offline_access ${scope}`,
    // Required for offline access (OpenID Connect Core, section 11).
    prompt: 'consent',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256'
  })
  const returned = callback.wait(state, async (returnedTo) => {
    const tokens = await authorizationCodeGrant(configuration, returnedTo, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true
    }).catch((cause) => {
      throw cause instanceof AuthorizationResponseError ? declined(cause) : cause
    })
    return toSignedIn(configuration, tokens, now())
  })
  // The redirect can arrive before `show` resolves.
  const [signedIn] = await Promise.all([returned, show(address.href)])
  return signedIn
}

/** Reads who has signed in, and returns what is stored. */
export async function toSignedIn(
  configuration: Configuration,
  tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
  now: number
): Promise<SignedIn> {
  const { client_id: clientId } = configuration.clientMetadata()
  // An error of `fetch` would show it.
  if (!/^[!-~]+$/.test(tokens.access_token)) throw new InvalidResponseError('the access token has invalid characters')
  const id = tokens.claims()?.sub ?? ''
  // The OAuth client validates the subject only.
  const { name, email } = await fetchUserInfo(configuration, tokens.access_token, id)
  return {
    clientId,
    ...toStoredGrant(tokens, now),
    who: { id, ...textMember('name', name), ...textMember('email', email) }
  }
}

function textMember<Name extends string>(name: Name, value: unknown): { readonly [N in Name]?: string } {
  // The member has the name that its type requires.
  return (typeof value === 'string' && value !== '' ? { [name]: value } : {}) as { readonly [N in Name]?: string }
}

/** Asserts that an address for a browser is a web address. @throws {InvalidResponseError} */
export function assertWebAddress(name: string, given: unknown, apiUrl: string): void {
  // The OAuth client does not validate its type.
  const address = String(given ?? '')
  if (/^https?:/i.test(address) && URL.canParse(address)) return
  throw new InvalidResponseError(
    `the response of ${apiUrl} is invalid: ${name} must be an http or https address, got ${JSON.stringify(address.slice(0, 200))}`
  )
}

function declined(cause: AuthorizationResponseError): SignInError {
  const { error, error_description: description } = cause
  const reason = error === 'access_denied' ? 'the request was cancelled' : (description ?? error)
  return new SignInError(`the sign-in failed: ${reason}`, { cause })
}

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
  randomState
} from 'openid-client'
import { type Callback, openCallback } from './callback.ts'
import { clientFor } from './clientFor.ts'
import type { SignedIn } from './credentialFile.ts'
import { discover, toldBy } from './discover.ts'
import { grantOf } from './grantOf.ts'
import { isSafe } from './isSafe.ts'
import { SignInError } from './signInError.ts'

/** Who is to sign in where, and how they are brought there. */
export interface SignIn {
  /** Address of the server, without a slash at its end. */
  readonly apiUrl: string
  /** Id of a public client; empty where none is known. */
  readonly clientId: string
  /** What this computer calls itself. */
  readonly hostname: string
  /** Brings somebody to the address at which they sign in. */
  readonly show: (address: string) => Promise<void>
  readonly now: () => number
  /** For how many milliseconds to wait for them. */
  readonly patienceMs?: number
}

/** How long somebody has to sign in. */
const PATIENCE_MS = 300_000

/**
 * Signs somebody in with their browser: an authorization code with PKCE, which comes back to a port of this computer.
 * @throws {SignInError} when they cancel, take too long, or the server cannot be believed or knows no such client.
 */
export async function signIn(given: SignIn): Promise<SignedIn> {
  const { apiUrl } = given
  if (!isSafe(apiUrl)) {
    throw new SignInError(`${apiUrl} would be sent tokens for everybody on the way to read: give an https address`)
  }
  try {
    const clientId = await clientFor(given)
    const configuration = await discover(apiUrl, clientId, None())
    demandWebAddress(configuration, apiUrl)
    const callback = await openCallback(given.patienceMs ?? PATIENCE_MS)
    try {
      return await askFor(configuration, callback, given)
    } finally {
      callback.close()
    }
  } catch (error) {
    throw toldBy(error, apiUrl)
  }
}

async function askFor(configuration: Configuration, callback: Callback, { show, now }: SignIn): Promise<SignedIn> {
  const { client_id: clientId } = configuration.clientMetadata()
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
  const address = buildAuthorizationUrl(configuration, {
    redirect_uri: callback.address,
    scope: 'openid profile email offline_access everything',
    // Without it nobody is asked whether this may go on while they are away (OpenID Connect Core, section 11).
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
    const id = tokens.claims()?.sub ?? ''
    const { name, email } = await fetchUserInfo(configuration, tokens.access_token, id)
    return { clientId, ...grantOf(tokens, now()), who: { id, ...(name ? { name } : {}), ...(email ? { email } : {}) } }
  })
  // Whoever is quick has returned before this has.
  const [signedIn] = await Promise.all([returned, show(address.href)])
  return signedIn
}

/** Demands an address that a browser can be sent to, of a server that may say anything. @throws {SignInError} */
function demandWebAddress(configuration: Configuration, apiUrl: string): void {
  // It is what somebody answered, whatever its type says.
  const address = String(configuration.serverMetadata().authorization_endpoint ?? '')
  if (/^https?:/i.test(address) && URL.canParse(address)) return
  throw new SignInError(
    `what ${apiUrl} answered cannot be believed: authorization_endpoint should be an http or https address, got ${JSON.stringify(address.slice(0, 200))}`
  )
}

function declined(cause: AuthorizationResponseError): SignInError {
  const { error, error_description: description } = cause
  const why = error === 'access_denied' ? 'the request was cancelled' : (description ?? error)
  return new SignInError(`nobody was signed in: ${why}`, { cause })
}

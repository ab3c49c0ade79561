import { dynamicClientRegistration, None } from 'openid-client'
import { discover, requestOptions } from './discover.ts'
import type { SignInProgram } from './program.ts'
import { SignInError } from './signInError.ts'

interface RegistrationOptions {
  readonly apiUrl: string
  /** Empty for the client of the program, or to register one. */
  readonly clientId: string
  readonly hostname: string
  readonly program: SignInProgram
}

/**
 * Returns the id of the client for a sign-in: the given one, the one that the server has for the program, or a newly
 * registered one (RFC 7591).
 * @param grantTypes The grants of a client that is registered. Default: those of the server.
 * @throws {SignInError} if the server does not allow registration.
 */
export async function resolveClientId(
  { apiUrl, clientId, hostname, program }: RegistrationOptions,
  grantTypes?: readonly string[]
): Promise<string> {
  if (clientId !== '') return clientId
  // Discovery requires a client id, but does not use it.
  const metadata = (await discover(apiUrl, program.name, None(), program)).serverMetadata()
  const builtIn = program.clientIdMember === undefined ? undefined : metadata[program.clientIdMember]
  if (typeof builtIn === 'string') return builtIn
  if (metadata.registration_endpoint === undefined) throw noClient(apiUrl)
  const server = new URL(`${apiUrl}/`)
  const registered = await dynamicClientRegistration(
    server,
    {
      client_name: `${program.name} on ${hostname}`.slice(0, 100),
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
      ...(grantTypes && { grant_types: [...grantTypes] })
    },
    None(),
    requestOptions(server, program.send)
  )
  return registered.clientMetadata().client_id
}

function noClient(apiUrl: string): SignInError {
  return new SignInError(
    `${apiUrl} does not allow clients to register: ask its administrator for BURGEE_DYNAMIC_REGISTRATION=1, or for a public client with the redirect URI http://127.0.0.1/callback, and pass its id as --client-id`
  )
}

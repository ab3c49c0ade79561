import { allowInsecureRequests, dynamicClientRegistration, None } from 'openid-client'
import { discover } from './discover.ts'
import { SignInError } from './signInError.ts'

interface Given {
  readonly apiUrl: string
  /** Empty where none was given. */
  readonly clientId: string
  readonly hostname: string
}

/** The id of the client to sign in to: the one that was given, or else one that registers itself where the server lets it (RFC 7591). */
export async function clientFor({ apiUrl, clientId, hostname }: Given): Promise<string> {
  if (clientId !== '') return clientId
  // Whoever asks what the server can do is nobody yet.
  const server = await discover(apiUrl, 'burgee-mcp', None())
  if (server.serverMetadata().registration_endpoint === undefined) throw noClient(apiUrl)
  const registered = await dynamicClientRegistration(
    new URL(`${apiUrl}/`),
    {
      client_name: `burgee-mcp on ${hostname}`.slice(0, 100),
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none'
    },
    None(),
    { execute: apiUrl.startsWith('http:') ? [allowInsecureRequests] : [] }
  )
  return registered.clientMetadata().client_id
}

function noClient(apiUrl: string): SignInError {
  return new SignInError(
    `${apiUrl} lets no client register itself: ask its administrator for BURGEE_DYNAMIC_REGISTRATION=1, or for a public client with the redirect URI http://127.0.0.1/callback, whose id you give as --client-id`
  )
}

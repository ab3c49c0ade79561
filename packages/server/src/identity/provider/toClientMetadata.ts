import type { ClientMetadata } from 'oidc-provider'
import type { StoredClient } from '../../storage/resources.ts'

/** A client as `oidc-provider` knows it, with what every client with a secret may ask for. The verifier stands in place of the secret. */
export function toClientMetadata(
  { clientId, name, secretVerifier, redirectUris }: StoredClient,
  grantTypes: readonly string[] = []
): ClientMetadata {
  const isPublic = secretVerifier === undefined
  const forPeople = redirectUris.length > 0
  return {
    client_id: clientId,
    client_name: name,
    ...(isPublic ? { token_endpoint_auth_method: 'none' } : { client_secret: secretVerifier }),
    application_type: isNative(redirectUris, isPublic) ? 'native' : 'web',
    redirect_uris: [...redirectUris],
    response_types: forPeople ? ['code'] : [],
    grant_types: [
      ...(forPeople ? ['authorization_code', 'refresh_token'] : []),
      ...(isPublic ? [] : ['client_credentials', ...grantTypes])
    ]
  }
}

/** Whether it runs where the person is: it may wait on any port there (RFC 8252), and is asked about each time, for anybody can pass for it. */
function isNative(redirectUris: readonly string[], isPublic: boolean): boolean {
  return redirectUris.some((uri) => (uri.startsWith('http:') ? isPublic : !uri.startsWith('https:')))
}

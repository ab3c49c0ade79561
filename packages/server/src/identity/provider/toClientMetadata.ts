import type { ClientMetadata } from 'oidc-provider'
import type { StoredClient } from '../../storage/resources/organization.ts'
import { ACCOUNT_CLIENT_ID } from '../clients/accountClient.ts'
import { DEVICE_CODE_GRANT } from '../oauth/deviceCodeGrant.ts'

/** Converts a client to the metadata of `oidc-provider`, with the hash in place of the secret. */
export function toClientMetadata(
  { clientId, name, secretVerifier, redirectUris, isDynamic, hasDeviceGrant = !isDynamic }: StoredClient,
  grantTypes: readonly string[] = []
): ClientMetadata {
  const isPublic = secretVerifier === undefined
  const forPeople = redirectUris.length > 0
  const isOnDevice = clientId !== ACCOUNT_CLIENT_ID && isNative(redirectUris, isPublic)
  return {
    client_id: clientId,
    client_name: name,
    ...(isPublic ? { token_endpoint_auth_method: 'none' } : { client_secret: secretVerifier }),
    application_type: isOnDevice ? 'native' : 'web',
    redirect_uris: [...redirectUris],
    response_types: forPeople ? ['code'] : [],
    grant_types: [
      ...(forPeople ? ['authorization_code', 'refresh_token'] : []),
      ...(isOnDevice && isPublic && hasDeviceGrant ? [DEVICE_CODE_GRANT] : []),
      ...(isPublic ? [] : ['client_credentials', ...grantTypes])
    ]
  }
}

/**
 * Whether a client runs on the person's device. Then any loopback port is accepted (RFC 8252), and consent is required
 * each time, because any program can impersonate it.
 */
function isNative(redirectUris: readonly string[], isPublic: boolean): boolean {
  return redirectUris.some((uri) => (uri.startsWith('http:') ? isPublic : !uri.startsWith('https:')))
}

import { apiScopes, FULL_ACCESS_SCOPE, type Permission, permissions } from '@burgee/contract'
import { formatValue } from '@burgee/kit/text'
import { OAuthHttpError } from '../../oauth/oauthError.ts'
import { findProtectedResource, type ProtectedResources } from '../../oauth/protectedResources.ts'
import type { RequestParameters } from '../../oauth/readRequestParameters.ts'
import { findUnknownScopes } from '../../oauth/scopes.ts'
import { TOKEN_EXCHANGE_GRANT } from '../../provider/tokenExchangeGrant.ts'

/** A request to exchange the identity token of a CI job. */
export interface WorkloadGrant {
  readonly subjectToken: string
  /** The requested permissions; all if omitted. */
  readonly requested: ReadonlySet<Permission> | undefined
  /** Key or id of the trust to use. */
  readonly trust: string | undefined
}

/** The type of the issued token. */
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'

const subjectTokenTypes: readonly (string | undefined)[] = [
  'urn:ietf:params:oauth:token-type:jwt',
  'urn:ietf:params:oauth:token-type:id_token'
]

/** The parameters of other exchanges, which authenticate a client. */
const refusedParameters = [
  'client_id',
  'client_secret',
  'client_assertion',
  'actor_token',
  'actor_token_type',
  'audience'
]

/** Whether a token request exchanges the identity token of a CI job, not a token of this server. */
export function isWorkloadGrant(given: RequestParameters): boolean {
  return given.get('grant_type') === TOKEN_EXCHANGE_GRANT && subjectTokenTypes.includes(given.get('subject_token_type'))
}

/**
 * Reads the parameters of such a request. Parameters without a value count as omitted (RFC 6749 §3.2).
 * @throws {OAuthHttpError} 400
 */
export function readWorkloadGrant(
  given: RequestParameters,
  { hasCredentials, resources }: { readonly hasCredentials: boolean; readonly resources: ProtectedResources }
): WorkloadGrant {
  const get = (name: string) => given.get(name) || undefined
  const refused = refusedParameters.find((name) => get(name) !== undefined)
  if (refused !== undefined) throw invalidRequest(`${refused} should be omitted: this exchange has no client`)
  if (hasCredentials) throw invalidRequest('the Authorization header should be omitted: this exchange has no client')
  const type = get('requested_token_type') ?? ACCESS_TOKEN_TYPE
  if (type !== ACCESS_TOKEN_TYPE) {
    throw invalidRequest(`requested_token_type should be ${ACCESS_TOKEN_TYPE}, got ${formatValue(type)}`)
  }
  const resource = get('resource') ?? resources.api
  if (findProtectedResource(resource, resources) !== resources.api) {
    throw new OAuthHttpError(400, 'invalid_target', `resource should be ${resources.api}, got ${formatValue(resource)}`)
  }
  const subjectToken = get('subject_token')
  if (subjectToken === undefined) throw invalidRequest('subject_token is missing')
  return { subjectToken, requested: readScope(get('scope')), trust: get('trust') }
}

function readScope(scope: string | undefined): ReadonlySet<Permission> | undefined {
  const [unknown] = findUnknownScopes(scope)
  if (unknown !== undefined) {
    throw new OAuthHttpError(400, 'invalid_scope', `the scope ${formatValue(unknown)} is not known`)
  }
  const names = (scope ?? FULL_ACCESS_SCOPE).split(' ').filter((name) => apiScopes.some((known) => known === name))
  return names.includes(FULL_ACCESS_SCOPE) ? undefined : new Set(permissions.filter((name) => names.includes(name)))
}

function invalidRequest(message: string): OAuthHttpError {
  return new OAuthHttpError(400, 'invalid_request', message)
}

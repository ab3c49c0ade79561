import { isRecord } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import type { Context } from 'koa'
import { DEVICE_CODE_GRANT } from '../oauth/deviceCodeGrant.ts'
import type { ProtectedResources } from '../oauth/protectedResources.ts'
import { TOKEN_EXCHANGE_GRANT } from '../provider/tokenExchangeGrant.ts'

/**
 * Adds to a refusal of `oidc-provider` what was wrong and what would be right, where its description does not say it.
 * The `error` code stays. A header can contain a secret, so only its scheme is shown.
 */
export function explainRefusal(
  { body, headers: { authorization = '' } }: Context,
  parameters: URLSearchParams,
  { toolServers }: ProtectedResources
): void {
  if (!isRecord(body)) return
  if (body.error === 'unsupported_grant_type') {
    const given = formatValue(parameters.get('grant_type') ?? '')
    const grantTypes = [...GRANT_TYPES, ...(toolServers.length > 0 ? [TOKEN_EXCHANGE_GRANT] : [])]
    body.error_description = `grant_type should be one of ${grantTypes.join(', ')}, got ${given}`
  } else if (body.error_description === HEADER_REFUSAL) {
    body.error_description = `authorization should be Basic and the Base64 of the client id, a colon and the client secret, got ${describeHeader(authorization)}`
  }
}

/** The grants of every server. Only those with tool servers exchange tokens of clients. */
const GRANT_TYPES = ['authorization_code', 'client_credentials', 'refresh_token', DEVICE_CODE_GRANT]

/** The description of `oidc-provider` for a header that it cannot parse. */
const HEADER_REFUSAL = 'invalid authorization header value format'

function describeHeader(header: string): string {
  const [, scheme = ''] = /^([A-Za-z]{1,20}) /.exec(header) ?? []
  if (/^basic$/i.test(scheme)) return 'another text after Basic'
  return scheme === '' ? 'another text' : formatValue(scheme)
}

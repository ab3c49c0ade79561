import type { Context } from 'koa'
import type { Provider } from 'oidc-provider'
import { formatWorkloadSubject } from '../../access/permissions/workloadIdentity.ts'
import { badRequest } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { networkOf } from '../../lib/network.ts'
import { isDamagedClientSecret } from '../../lib/secrets/checksum.ts'
import type { Store } from '../../storage/store.ts'
import { assertClientAccepted } from '../clients/assertClientAccepted.ts'
import { DEVICE_CODE_GRANT } from '../oauth/deviceCodeGrant.ts'
import { OAuthHttpError } from '../oauth/oauthError.ts'
import { parseTokenAudience } from '../oauth/parseTokenAudience.ts'
import { paths } from '../oauth/paths.ts'
import type { ProtectedResources } from '../oauth/protectedResources.ts'
import { FORM_CONTENT_TYPE, type RequestParameters, readRequestParameters } from '../oauth/readRequestParameters.ts'
import { forwardToOidcProvider, pickHeaders } from '../provider/forwardToOidcProvider.ts'
import { startedAt } from '../provider/startedAt.ts'
import { TOKEN_EXCHANGE_GRANT } from '../provider/tokenExchangeGrant.ts'
import { setAccess } from '../requestState.ts'
import type { VerifyClientSecret } from '../secrets/clientSecretVerifier.ts'
import type { AccessTokenVerifier } from '../tokens/accessTokenVerifier.ts'
import { isSignedToken, revokeAccessToken, revokeWorkloadAccessToken } from '../tokens/revokeAccessToken.ts'
import type { ExchangeSubjectToken } from '../workloads/exchange/exchangeSubjectToken.ts'
import { SubjectTokenRefusal } from '../workloads/exchange/refusal.ts'
import { ACCESS_TOKEN_TYPE, isWorkloadGrant, readWorkloadGrant } from '../workloads/exchange/workloadGrant.ts'
import { explainRefusal } from './explainRefusal.ts'
import { createPollLimit } from './pollInterval.ts'

interface Dependencies {
  readonly provider: () => Promise<Provider>
  readonly verifyClientSecret: VerifyClientSecret
  readonly publicUrl: () => string
  readonly resources: () => ProtectedResources
  readonly tokens: AccessTokenVerifier
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
  readonly exchangeSubjectToken: ExchangeSubjectToken
}

/** Handles requests with a form or JSON body and client authentication: token and revocation. */
export function createTokenEndpoint(dependencies: Dependencies): (ctx: Context) => Promise<void> {
  const { provider, verifyClientSecret, publicUrl, resources, now } = dependencies
  const assertPollAllowed = createPollLimit(dependencies)
  return async (ctx) => {
    const given = await readRequestParameters(ctx.req)
    if (ctx.path === paths.token && isWorkloadGrant(given)) return handleWorkloadGrant(ctx, given, dependencies)
    if (given.get('audience') && given.get('resource')) throw badRequest('give one of audience and resource, not both')
    const credentials = readCredentials(ctx, given)
    // Depends on the secret alone, so it reveals nothing and is not counted.
    if (isDamagedClientSecret(credentials.secret)) throw damagedSecret()
    await assertPublicClientAccepted(ctx, credentials.clientId, dependencies)
    const isDevice = ctx.path === paths.token && given.get('grant_type') === DEVICE_CODE_GRANT
    if (isDevice) await assertPollAllowed(given.get('device_code') ?? '')
    const { parameters, unknown } = parseTokenAudience(new URLSearchParams([...given]), resources())
    ctx.state.audience = unknown
    const { token = '' } = ctx.path === paths.revoke ? Object.fromEntries(given) : {}
    const accessToken = isSignedToken(token) ? token : undefined
    if (accessToken !== undefined && credentials.clientId === '') {
      if (await revokeWorkloadAccessToken(accessToken, dependencies)) {
        ctx.status = 200
        ctx.body = ''
        return
      }
    }
    // `oidc-provider` rejects signed tokens. With this one it authenticates the client, and finds nothing to revoke.
    if (accessToken !== undefined) parameters.set('token', UNKNOWN_TOKEN)
    // A token is issued before a rotation if its key was chosen before.
    startedAt(ctx, now)
    const clientId = await forwardToOidcProvider(ctx, await provider(), publicUrl(), {
      url: ctx.path,
      headers: { ...pickHeaders(ctx, 'authorization'), 'content-type': FORM_CONTENT_TYPE, accept: 'application/json' },
      body: parameters.toString()
    })
    explainRefusal(ctx, parameters, resources())
    if (accessToken !== undefined && clientId !== undefined && ctx.status === 200) {
      await revokeAccessToken(accessToken, clientId, dependencies)
    }
    if (ctx.state.hasTriedSecret || !isUnknownClient(ctx)) return
    await verifyClientSecret({ clientId: credentials.clientId, address: ctx.ip, secret: '' })
  }
}

/** Handles the exchange of the identity token of a CI job, which has no client. */
async function handleWorkloadGrant(
  ctx: Context,
  given: RequestParameters,
  { resources, exchangeSubjectToken }: Pick<Dependencies, 'resources' | 'exchangeSubjectToken'>
): Promise<void> {
  setAccess(ctx, { method: TOKEN_EXCHANGE_GRANT })
  const grant = readWorkloadGrant(given, {
    hasCredentials: ctx.get('authorization') !== '',
    resources: resources()
  })
  const onVerified = (facts: Readonly<Record<string, string>>) => {
    setAccess(ctx, { target: { ...ctx.state.access?.target, ...facts } })
  }
  try {
    const issued = await exchangeSubjectToken(grant, { network: networkOf(ctx.ip), onVerified })
    const { token, trust, scope, expiresIn } = issued
    const idp_user = formatWorkloadSubject(trust)
    setAccess(ctx, { idp_user, actor: 'workload', _organization: trust._organization })
    ctx.body = {
      access_token: token,
      issued_token_type: ACCESS_TOKEN_TYPE,
      token_type: 'Bearer',
      expires_in: expiresIn,
      scope
    }
  } catch (error) {
    if (error instanceof SubjectTokenRefusal) setAccess(ctx, { reason: error.reason })
    throw error
  }
}

/**
 * Asserts that a public client is accepted, before a code or refresh token is consumed. Its id is public.
 * Other clients are checked together with their secret.
 * @throws {OAuthHttpError} 401 or 403
 */
async function assertPublicClientAccepted(ctx: Context, clientId: string, dependencies: Dependencies): Promise<void> {
  const client = await dependencies.store.collection('clients').get({ clientId })
  if (client && client.secretVerifier === undefined) await assertClientAccepted(ctx, client, dependencies)
}

/** No token is that short. */
const UNKNOWN_TOKEN = '-'

interface Credentials {
  readonly clientId: string
  readonly secret: string
}

/** The client id and secret: in the body, or in the header as RFC 6749 §2.3.1 defines. */
function readCredentials(ctx: Context, given: RequestParameters): Credentials {
  const [, encoded = ''] = /^basic +(\S+)$/i.exec(ctx.get('authorization')) ?? []
  const [name = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s)
  return {
    clientId: given.get('client_id') ?? decodeForm(name),
    secret: given.get('client_secret') ?? decodeForm(secret)
  }
}

function decodeForm(text: string): string {
  return new URLSearchParams(`name=${text.replaceAll('&', '%26')}`).get('name') ?? ''
}

function damagedSecret(): OAuthHttpError {
  return new OAuthHttpError(
    401,
    'invalid_client',
    'the client secret was mistyped or truncated: its checksum does not match'
  )
}

/**
 * Whether the client id was rejected. Such requests must take as long, and count as much, as those with a wrong secret.
 */
function isUnknownClient({ status }: Context): boolean {
  return status === 401
}

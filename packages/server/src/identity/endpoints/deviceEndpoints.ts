import { serialize } from '@burgee/kit'
import { sanitizeLine } from '@burgee/kit/text'
import type { Context } from 'koa'
import type { Provider } from 'oidc-provider'
import { createRefusingLimiter } from '../../lib/limits/rateLimiter.ts'
import { networkOf } from '../../lib/network.ts'
import type { Store } from '../../storage/store.ts'
import { assertClientAccepted } from '../clients/assertClientAccepted.ts'
import { deviceFields } from '../login/pages/devicePages.ts'
import { CSRF_FIELD } from '../login/pages/form.ts'
import { assertSameOrigin, readForm } from '../login/pages/readForm.ts'
import { setSecurityHeaders } from '../login/pages/securityHeaders.ts'
import { digestUserCode } from '../oauth/digestBearer.ts'
import { OAuthHttpError } from '../oauth/oauthError.ts'
import { parseTokenAudience } from '../oauth/parseTokenAudience.ts'
import { paths } from '../oauth/paths.ts'
import type { ProtectedResources } from '../oauth/protectedResources.ts'
import { FORM_CONTENT_TYPE, readRequestParameters } from '../oauth/readRequestParameters.ts'
import { withDefaultScope } from '../oauth/scopes.ts'
import { forwardToOidcProvider, pickHeaders } from '../provider/forwardToOidcProvider.ts'
import type { ResolveClient } from '../registration/clientDocumentResolver.ts'
import { evictPending } from './pendingLogins.ts'
import { POLL_INTERVAL } from './pollInterval.ts'

interface Dependencies {
  readonly provider: () => Promise<Provider>
  readonly publicUrl: () => string
  readonly resources: () => ProtectedResources
  readonly store: Store
  readonly now: () => number
  /** @throws {HttpError} 429 for an address that started too many logins. */
  readonly limitSignIns: (address: string) => Promise<void>
  /** Stores clients that are not created by administrators, before they are looked up. */
  readonly resolveClient: ResolveClient
}

/** The endpoints for programs without a browser (RFC 8628). */
export interface DeviceEndpoints {
  /** Issues a device code and a user code to a program. */
  readonly authorize: (ctx: Context) => Promise<void>
  /** Serves the pages on which a person enters and confirms the user code. */
  readonly verify: (ctx: Context) => Promise<void>
  /** Continues after the sign-in and consent of the person. */
  readonly resume: (ctx: Context) => Promise<void>
}

/** Creates the endpoints. */
export function createDeviceEndpoints(dependencies: Dependencies): DeviceEndpoints {
  const { provider, publicUrl, resources, store, now, limitSignIns, resolveClient } = dependencies
  const assertKnownCode = createUserCodeLimit(store)

  return {
    authorize: async (ctx) => {
      const given = await readRequestParameters(ctx.req)
      const clientId = given.get('client_id') ?? ''
      await limitSignIns(ctx.ip)
      await resolveClient(clientId, ctx.ip)
      const client = await store.collection('clients').get({ clientId })
      if (client && client.secretVerifier === undefined) await assertClientAccepted(ctx, client, dependencies)
      await evictPending(store, 'DeviceCode', now())
      const known = new URLSearchParams([...given].filter(([name]) => PARAMETERS.has(name)))
      const { parameters, unknown } = parseTokenAudience(known, resources())
      parameters.set('scope', withDefaultScope(given.get('scope')))
      ctx.state.audience = unknown
      ctx.state.deviceName = sanitizeLine(given.get('device_name') ?? '').slice(0, MAX_NAME_LENGTH)
      await forwardToOidcProvider(ctx, await provider(), publicUrl(), {
        url: ctx.path,
        headers: { 'content-type': FORM_CONTENT_TYPE, accept: 'application/json' },
        body: parameters.toString()
      })
      const { error_description: description } = Object(ctx.body)
      // RFC 6749 §5.2 has a code for it, which `oidc-provider` does not use.
      if (/is not allowed for this client/.test(String(description))) throw unsuitableClient()
      if (ctx.status === 200) Object.assign(Object(ctx.body), { interval: POLL_INTERVAL })
    },

    verify: async (ctx) => {
      setSecurityHeaders(ctx)
      if (ctx.method === 'POST') {
        assertSameOrigin(ctx, publicUrl())
        const form = await readForm(ctx)
        const userCode = form.get(deviceFields.userCode)?.slice(0, MAX_CODE_LENGTH) ?? ''
        await assertKnownCode(networkOf(ctx.ip), userCode)
        ctx.state.userCode = userCode
        const body = new URLSearchParams({ xsrf: form.get(CSRF_FIELD) ?? '', [deviceFields.userCode]: userCode })
        for (const name of [deviceFields.confirm, deviceFields.abort]) if (form.get(name)) body.set(name, 'yes')
        await forwardToOidcProvider(ctx, await provider(), publicUrl(), {
          url: paths.device,
          headers: { ...pickHeaders(ctx, 'accept', 'cookie'), 'content-type': FORM_CONTENT_TYPE },
          body: body.toString()
        })
        return
      }
      // Each page is stored with the session of the browser.
      await limitSignIns(ctx.ip)
      // A code in the address only fills the field: following a link confirms nothing.
      ctx.state.userCode = new URLSearchParams(ctx.querystring).get('user_code')?.slice(0, MAX_CODE_LENGTH) ?? ''
      const headers = pickHeaders(ctx, 'accept', 'cookie')
      await forwardToOidcProvider(ctx, await provider(), publicUrl(), { url: paths.device, headers })
    },

    resume: async (ctx) => {
      setSecurityHeaders(ctx)
      const headers = pickHeaders(ctx, 'accept', 'cookie')
      await forwardToOidcProvider(ctx, await provider(), publicUrl(), { url: ctx.path, headers })
    }
  }
}

/** The parameters of a request for a device code that this server uses, besides `device_name`. */
const PARAMETERS: ReadonlySet<string> = new Set([
  'acr_values',
  'audience',
  'client_id',
  'login_hint',
  'max_age',
  'resource',
  'scope'
])

const MAX_NAME_LENGTH = 100

/** Longer than a user code with any separators. */
const MAX_CODE_LENGTH = 40

function unsuitableClient(): OAuthHttpError {
  return new OAuthHttpError(
    400,
    'unauthorized_client',
    'this client cannot use device codes: only public clients with a redirect URI on this computer can; one that registers itself must name the grant in grant_types'
  )
}

/** The number of unknown user codes per network and minute. */
const WRONG_CODES_PER_MINUTE = 10

/**
 * Creates the limit for unknown user codes. Codes are checked one after another, so that concurrent guesses cannot
 * exceed the limit, and a network that has reached it does not learn which codes exist.
 */
function createUserCodeLimit(store: Store): (network: string, userCode: string) => Promise<void> {
  const limiter = createRefusingLimiter({
    perMinute: WRONG_CODES_PER_MINUTE,
    reason: `too many wrong codes (limit: ${WRONG_CODES_PER_MINUTE} per minute)`
  })
  const inTurn = serialize()
  return (network, userCode) =>
    inTurn(async () => {
      await limiter.assertAllowed(network)
      // The normal form of `oidc-provider`.
      const uid = digestUserCode(userCode.toUpperCase().replace(/\W/g, ''))
      const found = await store.collection('authorizations').get({ uid, model: 'DeviceCode' })
      if (!found) await limiter.record(network)
    })
}

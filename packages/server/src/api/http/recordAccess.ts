import { isRecord, omitUndefined } from '@burgee/kit'
import type { Context, Middleware } from 'koa'
import type { AccessEvent, AccessRecorder } from '../../access/accessLog/accessRecorder.ts'
import { paths } from '../../identity/oauth/paths.ts'
import { networkOf, normalizeAddress } from '../../lib/network.ts'

/**
 * Records requests in the access log before their response is sent: those whose route set a kind, requests for tokens,
 * and refused access tokens and SDK keys.
 */
export function recordAccess(recorder: AccessRecorder): Middleware {
  return async (ctx, next) => {
    await next()
    const event = toAccessEvent(ctx)
    if (event) await recorder.record(event, networkOf(ctx.ip))
  }
}

function toAccessEvent(ctx: Context): AccessEvent | undefined {
  const { operation = 'none', requestId, access = {}, accessTarget } = ctx.state
  const kind = access.kind ?? impliedKind(ctx)
  if (kind === undefined) return undefined
  const outcome = access.outcome ?? outcomeOf(ctx.status)
  const reason = outcome === 'success' ? access.reason : (access.reason ?? codeOfRefusal(ctx))
  const address = normalizeAddress(ctx.ip)
  // The path of an unknown caller, or of an item that the caller cannot see, is arbitrary text. For refused SDK keys,
  // the target does not come from the path.
  const isArbitrary = kind !== 'sdkKey' && (access.idp_user === undefined || ctx.status === 404)
  const target = access.target ?? (isArbitrary ? undefined : accessTarget)
  return {
    ...omitUndefined({ ...access, kind, outcome, reason, target }),
    kind,
    outcome,
    operation,
    address,
    requestId
  }
}

/** The kind of requests whose routes are the same for all callers. */
function impliedKind({ path, status, body, state }: Context): AccessEvent['kind'] | undefined {
  if (path === paths.token) return isPoll(body) ? undefined : 'token'
  const takesTokens = ['management', 'manifest', 'mcp', 'scim'].includes(state.surface ?? '') || path === paths.userinfo
  return status === 401 && takesTokens ? 'tokenUse' : undefined
}

/** Whether a response tells a device to ask again later (RFC 8628 §3.5). */
function isPoll(body: unknown): boolean {
  return isRecord(body) && (body.error === 'authorization_pending' || body.error === 'slow_down')
}

function outcomeOf(status: number): AccessEvent['outcome'] {
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'success'
}

/** The code of a refusal: the one of the OAuth error, else one for the status. */
function codeOfRefusal({ status, body, state: { surface } }: Context): string {
  if (surface === 'oauth' && typeof body === 'object' && body !== null && 'error' in body) {
    if (typeof body.error === 'string' && /^[\w-]{1,60}$/.test(body.error)) return body.error
  }
  return reasons[status] ?? (status >= 500 ? 'server_error' : 'invalid_request')
}

const reasons: Readonly<Record<number, string>> = {
  401: 'invalid_token',
  403: 'insufficient_permission',
  404: 'not_found',
  429: 'rate_limited',
  503: 'unavailable'
}

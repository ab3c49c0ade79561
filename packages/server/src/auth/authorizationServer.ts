import type { Context, Middleware } from 'koa'
import type { Provider } from 'oidc-provider'
import { ApiError, invalid } from '../errors.ts'
import { asForm } from './asForm.ts'
import { createProvider, type Dependencies, TOKEN_PATH } from './createProvider.ts'
import { loadProvider } from './loadProvider.ts'
import { type Parameters, readParameters } from './parameters.ts'

/** Where the public halves of the signing keys are. */
const JWKS_PATH = '/oauth/jwks'

/** Answers requests for access tokens, and for the keys that verify them; everything else is left to others. */
export function authorizationServer(dependencies: Dependencies): Middleware {
  const { keys, log } = dependencies
  let provider: Provider | undefined
  let waiting = 0
  return async (ctx, next) => {
    if (ctx.path === JWKS_PATH) {
      ctx.state.operation = 'jwks'
      allow(ctx, 'GET', 'HEAD')
      ctx.body = { keys: keys.publicJwks }
    } else if (ctx.path === TOKEN_PATH) {
      ctx.state.operation = 'token'
      waiting++
      try {
        const module = await loadProvider(log)
        provider ??= createProvider(module, dependencies)
        await grant(ctx, provider, waiting)
      } finally {
        waiting--
      }
    } else await next()
  }
}

/** How many requests for tokens may wait for the one before; each takes about 40 ms. */
const MOST_WAITING = 64

async function grant(ctx: Context, provider: Provider, waiting: number): Promise<void> {
  // As RFC 6749 demands of answers that hold tokens; refusals are nothing to keep either.
  ctx.set('cache-control', 'no-store')
  try {
    allow(ctx, 'POST')
    if (waiting > MOST_WAITING) throw busy()
    const parameters = translate(ctx, await readParameters(ctx.req))
    // Of the provider, which is an application of its own, only what it does with a request is needed.
    const [answer] = provider.middleware
    await asForm(ctx, parameters, async () => answer?.(ctx, async () => undefined))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    ctx.status = error.status
    ctx.set({ ...error.headers })
    const code = error.status === 429 ? 'temporarily_unavailable' : 'invalid_request'
    ctx.body = { error: code, error_description: error.message }
  }
}

function busy(): ApiError {
  const message = `more than ${MOST_WAITING} requests for tokens are waiting; go on in 1 s`
  return new ApiError(429, 'rate_limited', message, { headers: { 'retry-after': '1' } })
}

function allow(ctx: Context, ...methods: readonly string[]): void {
  if (methods.includes(ctx.method)) return
  const names = methods.join(', ')
  const headers = { allow: names }
  throw new ApiError(405, 'method_not_allowed', `${ctx.path} answers ${names}, not ${ctx.method}`, { headers })
}

/** Takes out what the provider does not know: `audience`, which says the same as `resource` (RFC 8707) in other words. */
function translate(ctx: Context, parameters: Parameters): Parameters {
  const { audience, ...others } = Object.fromEntries(parameters)
  if (audience && others.resource) throw invalid('give one of audience and resource, not both')
  ctx.state.audience = audience
  return new Map(Object.entries(others))
}

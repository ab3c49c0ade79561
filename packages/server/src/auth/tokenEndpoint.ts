import type { Context } from 'koa'
import type { Provider } from 'oidc-provider'
import { ApiError, invalid } from '../errors.ts'
import { askProvider, headersOf } from './askProvider.ts'
import { audienceIn } from './audience.ts'
import { FORM, readParameters } from './parameters.ts'
import type { TrySecret } from './secretTrials.ts'

interface Dependencies {
  readonly provider: () => Promise<Provider>
  readonly trySecret: TrySecret
  readonly publicUrl: () => string
}

/** How many requests with secrets may wait for the one before; each takes about 40 ms. */
const MOST_WAITING = 64

/** Answers what clients ask for with a form or JSON, and prove with a secret if they have one: tokens, and their revocation. */
export function tokenEndpoint({ provider, trySecret, publicUrl }: Dependencies): (ctx: Context) => Promise<void> {
  let waiting = 0
  return async (ctx) => {
    waiting++
    try {
      if (waiting > MOST_WAITING) throw busy()
      const given = await readParameters(ctx.req)
      if (given.get('audience') && given.get('resource')) throw invalid('give one of audience and resource, not both')
      const { parameters, unknown } = audienceIn(new URLSearchParams([...given]), publicUrl())
      ctx.state.audience = unknown
      await askProvider(ctx, await provider(), publicUrl(), {
        url: ctx.path,
        headers: { ...headersOf(ctx, 'authorization'), 'content-type': FORM, accept: 'application/json' },
        body: parameters.toString()
      })
      if (ctx.state.hasTriedSecret || !isUnknownClient(ctx)) return
      await trySecret({ clientId: given.get('client_id') ?? '', address: ctx.ip, secret: '' })
    } finally {
      waiting--
    }
  }
}

/** Whether the client is refused for what it calls itself: that must take as long, and count as much, as a wrong secret. */
function isUnknownClient({ status }: Context): boolean {
  return status === 401
}

function busy(): ApiError {
  const message = `more than ${MOST_WAITING} requests for tokens are waiting; go on in 1 s`
  return new ApiError(429, 'rate_limited', message, { headers: { 'retry-after': '1' } })
}

import type { Context } from 'koa'
import type { Provider } from 'oidc-provider'
import { invalid } from '../errors.ts'
import { askProvider, headersOf } from './askProvider.ts'
import { audienceIn } from './audience.ts'
import { FORM, type Parameters, readParameters } from './parameters.ts'
import type { Resources } from './resources.ts'
import type { TrySecret } from './secretTrials.ts'

interface Dependencies {
  readonly provider: () => Promise<Provider>
  readonly trySecret: TrySecret
  readonly publicUrl: () => string
  readonly resources: () => Resources
}

/** Answers what clients ask for with a form or JSON, and prove with a secret if they have one: tokens, and their revocation. */
export function tokenEndpoint({
  provider,
  trySecret,
  publicUrl,
  resources
}: Dependencies): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    const given = await readParameters(ctx.req)
    if (given.get('audience') && given.get('resource')) throw invalid('give one of audience and resource, not both')
    const { parameters, unknown } = audienceIn(new URLSearchParams([...given]), resources())
    ctx.state.audience = unknown
    await askProvider(ctx, await provider(), publicUrl(), {
      url: ctx.path,
      headers: { ...headersOf(ctx, 'authorization'), 'content-type': FORM, accept: 'application/json' },
      body: parameters.toString()
    })
    if (ctx.state.hasTriedSecret || !isUnknownClient(ctx)) return
    await trySecret({ clientId: clientIdOf(ctx, given), address: ctx.ip, secret: '' })
  }
}

/** What a client calls itself: in the form, or in the header as RFC 6749 §2.3.1 has it. */
function clientIdOf(ctx: Context, given: Parameters): string {
  const [, encoded = ''] = /^basic +(\S+)$/i.exec(ctx.get('authorization')) ?? []
  const [name = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  return given.get('client_id') ?? new URLSearchParams(`name=${name.replaceAll('&', '%26')}`).get('name') ?? ''
}

/** Whether the client is refused for what it calls itself: that must take as long, and count as much, as a wrong secret. */
function isUnknownClient({ status }: Context): boolean {
  return status === 401
}

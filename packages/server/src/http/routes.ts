import { type Operation, operations } from '@burgee/contract'
import Router from '@koa/router'
import type { Context, Middleware, Next } from 'koa'
import type { Configs } from '../configs/configs.ts'
import { ApiError } from '../errors.ts'
import type { Handlers, SdkCaller, Tagged } from '../handlers/handler.ts'
import { checkAddress } from './address.ts'
import { authenticate } from './authenticate.ts'
import { readBody } from './body.ts'
import { matchesEtag } from './etag.ts'
import type { Limit } from './limit.ts'
import { validate } from './validate.ts'

interface Dependencies {
  readonly handlers: Handlers
  readonly configs: Configs
  /** For the operations that can answer 429, by SDK key. */
  readonly limit: Limit
}

/** One route for each operation of the contract: who is it, what do they ask, do it, answer. */
export function routes({ handlers, configs, limit }: Dependencies): Middleware[] {
  // Failures tell the surfaces apart by the path as it is written.
  const router = new Router({ sensitive: true })
  for (const record of Object.values<Operation>(operations)) {
    router.register(record.path.replace(/\{(\w+)\}/g, ':$1'), [record.method], async (ctx: Context) => {
      ctx.state.operation = record.id
      const { key, caller } = authenticate(ctx, record.credential, configs)
      if (429 in record.errors) await limit(key)
      checkAddress(ctx)
      const input = {
        ...(record.params ? { params: validate(record.params, ctx.params, 'path') } : {}),
        ...(record.query ? { query: validate(record.query, { ...ctx.query }, 'query') } : {}),
        ...(record.body ? { body: validate(record.body, await readBody(ctx.req), 'body') } : {})
      }
      reply(ctx, record, await handlerOf(handlers, record)(input, caller))
    })
  }
  return [router.routes() as Middleware, refuseMethod]
}

type AnyHandler = (input: unknown, caller: SdkCaller) => unknown

function handlerOf(handlers: Handlers, record: Operation): AnyHandler {
  // The input was parsed by the schemas of the same record that the handler's type is read from.
  return handlers[record.id as keyof Handlers] as AnyHandler
}

function reply(ctx: Context, record: Operation, result: unknown): void {
  if (!record.isConditional) {
    ctx.status = record.status
    ctx.body = result
    return
  }
  // The type of a conditional operation's handler demands this form.
  const { etag, body } = result as Tagged<unknown>
  ctx.set('etag', etag)
  ctx.status = matchesEtag(ctx.get('if-none-match'), etag) ? 304 : record.status
  if (ctx.status !== 304) ctx.body = body
}

/** Refuses the method of a request that no route has taken, where a route has the address. */
function refuseMethod(ctx: Context, next: Next): Promise<void> {
  const routes: readonly { readonly methods: readonly string[] }[] = ctx.matched ?? []
  const methods = [...new Set(routes.flatMap((route) => route.methods))].join(', ')
  if (methods === '') return next()
  throw new ApiError(405, 'method_not_allowed', `${ctx.path} answers ${methods}, not ${ctx.method}`, { allow: methods })
}

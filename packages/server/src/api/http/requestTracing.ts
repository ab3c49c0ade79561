import { type Operation, operations } from '@burgee/contract'
import type { Context, Middleware } from 'koa'
import type { Tracing } from '../../telemetry/tracing/tracing.ts'

/**
 * Makes each request a span, by the semantic conventions of OpenTelemetry for HTTP servers. Of its address, only the route is told:
 * paths have SDK keys, tokens and ids of users in them.
 */
export function requestTracing(tracing: Tracing): Middleware {
  return (ctx, next) => {
    if (untraced.has(ctx.path)) return next()
    const beginning = {
      name: ctx.method,
      kind: 'server' as const,
      traceparent: ctx.get('traceparent'),
      attributes: { 'http.request.method': ctx.method, 'url.scheme': ctx.protocol }
    }
    return tracing.trace(beginning, async (span) => {
      await next()
      const { operation } = ctx.state
      const route = routeOf(ctx)
      if (operation) span.rename(`${ctx.method} ${route ?? operation}`)
      span.set({
        ...(route ? { 'http.route': route } : {}),
        ...(operation ? { 'burgee.operation': operation } : {}),
        'http.response.status_code': ctx.status
      })
      if (ctx.status >= 500) span.fail(String(ctx.status))
    })
  }
}

/** What asks every few seconds, and says nothing about what the server is for. */
const untraced: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics'])

const records: ReadonlyMap<string, Operation> = new Map(Object.entries<Operation>(operations))

/** The path of the record, with the names of its parts in their place. */
function routeOf({ state }: Context): string | undefined {
  return records.get(state.operation)?.path
}

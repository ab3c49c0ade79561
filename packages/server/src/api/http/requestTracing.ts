import { type Operation, operations } from '@burgee/contract'
import type { Context, Middleware } from 'koa'
import type { Tracing } from '../../telemetry/tracing/tracing.ts'

/**
 * Creates a span for each request, by the semantic conventions of OpenTelemetry for HTTP servers. The span has the
 * route instead of the URL: paths can contain SDK keys, tokens and user ids.
 */
export function requestTracing(tracing: Tracing): Middleware {
  return (ctx, next) => {
    if (untraced.has(ctx.path)) return next()
    const options = {
      name: ctx.method,
      kind: 'server' as const,
      traceparent: ctx.get('traceparent'),
      attributes: { 'http.request.method': ctx.method, 'url.scheme': ctx.protocol }
    }
    return tracing.trace(options, async (span) => {
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

/** Health checks and metric scrapes, which are too frequent to trace. */
const untraced: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics'])

const records: ReadonlyMap<string, Operation> = new Map(Object.entries<Operation>(operations))

/** Returns the path of the operation with parameter names in braces. */
function routeOf({ state }: Context): string | undefined {
  return state.operation === undefined ? undefined : records.get(state.operation)?.path
}

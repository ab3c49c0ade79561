import type { Context } from 'koa'

/** When the current request started; the current time outside of a request. */
export function startedAt(ctx: Pick<Context, 'state'> | undefined, now: () => number): number {
  if (!ctx) return now()
  ctx.state.startedAt ??= now()
  return ctx.state.startedAt
}

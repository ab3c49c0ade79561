import type { Context } from 'koa'

/** The moment in which the request under way was first asked about; now, outside of one. */
export function startedAt(ctx: Pick<Context, 'state'> | undefined, now: () => number): number {
  if (!ctx) return now()
  ctx.state.begunAt ??= now()
  return ctx.state.begunAt
}

import { ChangeSource } from '@burgee/contract/schemas'
import type { Context } from 'koa'

/** The kind of tool that sent a request, as its header `burgee-referrer` says; the bare API if it names none that is known. */
export function parseChangeSource(ctx: Context): ChangeSource {
  return ChangeSource.safeParse(ctx.get('burgee-referrer')).data ?? 'api'
}

import type { Context } from 'koa'
import type { Store } from '../../storage/store.ts'
import { type Generations, type Issued, readGenerations } from '../revocation/generations.ts'

/** When the current request started; the current time outside of a request. */
export function startedAt(ctx: Pick<Context, 'state'> | undefined, now: () => number): number {
  if (!ctx) return now()
  ctx.state.startedAt ??= now()
  return ctx.state.startedAt
}

/**
 * Returns the generations of a person and client as the current request first read them, so that a revocation during
 * the request ends what the request issues. Call it before checking the state on which the issued token depends.
 */
export async function generationsOf(
  ctx: Pick<Context, 'state'> | undefined,
  store: Store,
  issued: Issued
): Promise<Generations> {
  const current = await readGenerations(store, issued)
  if (!ctx) return current
  const first: Generations = { ...current, ...ctx.state.generations }
  ctx.state.generations = first
  return Object.fromEntries(Object.keys(current).map((subject) => [subject, first[subject] ?? '']))
}

import type { Context } from 'koa'
import { HttpError } from '../../../lib/errors.ts'

/**
 * Runs the work of a form. If a rate limit refuses it, shows the form again with the problem.
 * @param show Shows the form with the number of seconds after which it can be sent again.
 */
export async function showRateLimit(
  ctx: Context,
  work: () => Promise<void>,
  show: (seconds: string) => Promise<void>
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 429) throw error
    ctx.set({ ...error.headers })
    ctx.status = 429
    await show(error.headers['retry-after'] ?? '')
  }
}

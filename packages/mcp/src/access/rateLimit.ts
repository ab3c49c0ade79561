import { toRetrySeconds } from '@burgee/kit'
import type { Caller, McpServerContext } from '../connection/context.ts'
import { ToolError } from '../results/toolError.ts'

/** Counts a call of a caller. @throws {ToolError} when the caller is over the limit. */
export async function rateLimit(
  context: Pick<McpServerContext, 'rateLimit'>,
  { id }: Pick<Caller, 'id'>
): Promise<void> {
  const waitMs = await context.rateLimit?.(id)
  if (waitMs === undefined) return
  const retryAfter = toRetrySeconds(waitMs)
  throw new ToolError('RATE_LIMIT_ERROR', `too many tool calls per minute; retry in ${retryAfter} s`, { retryAfter })
}

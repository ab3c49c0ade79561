import { ToolError } from './answers/toolError.ts'
import type { Caller, Service } from './service.ts'

/** Counts a call of a caller. @throws {ToolError} when there were too many lately. */
export async function demandRate({ limit }: Pick<Service, 'limit'>, { id }: Pick<Caller, 'id'>): Promise<void> {
  const retryAfter = await limit?.(id)
  if (retryAfter === undefined) return
  throw new ToolError('RATE_LIMIT_ERROR', `too many calls of tools in a minute; go on in ${retryAfter} s`, {
    retryAfter
  })
}

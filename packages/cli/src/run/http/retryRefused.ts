import { setTimeout } from 'node:timers/promises'
import { ApiError } from '@burgee/contract/client'
import { MAX_WAIT_MS } from './retryingFetch.ts'

/**
 * Retries a change that the server rejected with 429 until it succeeds or is interrupted. This is safe: a rejected change
 * was not made. Fails at once if the server asks for a longer wait than a minute.
 * @throws {ApiError}
 */
export async function retryRefused<T>(work: () => Promise<T>, interruption: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const wait = retryDelayMs(error)
      if (wait === undefined || wait > MAX_WAIT_MS || interruption.aborted) throw error
      await setTimeout(wait, undefined, { signal: interruption }).catch(() => {})
    }
  }
}

/** Returns the milliseconds after which the server accepts a change again. */
function retryDelayMs(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.status !== 429 || error.retryAfter === undefined) return undefined
  return error.retryAfter * 1000
}

import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { createFairQueue } from '../../../lib/limits/fairQueue.ts'
import { SECOND } from '../../../lib/time.ts'
import type { RequestConnection } from './handler.ts'

/**
 * Runs a preview when the turn of its caller comes.
 * @throws {HttpError} 429 when too many previews of the caller wait.
 */
export type PreviewQueue = <T>(
  caller: Pick<TokenCaller, 'id'>,
  connection: Pick<RequestConnection, 'isGone'>,
  work: () => Promise<T>
) => Promise<T>

/**
 * Creates the queue of everything that tries a change out without making it. One runs at a time: each takes turns with
 * evaluations, and several would slow these down.
 */
export function createPreviewQueue(): PreviewQueue {
  const queue = createFairQueue({
    subject: 'previews',
    maxRunning: 1,
    maxQueuedPerCaller: 10,
    maxQueued: 50,
    retryAfterMs: 2 * SECOND
  })
  return async ({ id }, { isGone }, work) => queue({ caller: id, isWanted: () => !isGone(), work })
}

import { createFairQueue, type FairQueue } from '../../lib/limits/fairQueue.ts'
import { SECOND } from '../../lib/time.ts'

/**
 * Runs slow hashes one at a time, because file writes share the thread pool. Networks and people take turns, so that
 * none can fill the queue. The caller is the network of a request without authentication, else the id of its holder.
 * @throws {HttpError} 429 when the caller's share of the queue is full.
 */
export const runDerivation: FairQueue = createFairQueue({
  subject: 'pending attempts',
  maxRunning: 1,
  maxQueuedPerCaller: 32,
  maxQueued: 128,
  retryAfterMs: SECOND
})

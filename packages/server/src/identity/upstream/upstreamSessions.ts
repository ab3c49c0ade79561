import { createFairQueue } from '../../lib/limits/fairQueue.ts'
import { HOUR, SECOND } from '../../lib/time.ts'
import type { StoredUpstreamSession } from '../../storage/resources/organization.ts'
import type { IdentityProvider, ReadResult } from './identityProvider.ts'
import {
  createUpstreamSessionRecords,
  type RecordDependencies,
  type UpstreamSessionRecords
} from './upstreamSessionRecords.ts'

/** The login sessions that people started through the identity provider. */
export interface UpstreamSessions extends Pick<UpstreamSessionRecords, 'add' | 'bind'> {
  /**
   * Updates name and groups of the person, and ends the session if the provider refuses, or was unavailable for longer
   * than the grace period. Sessions that were not started through the provider are always valid. Concurrent calls for
   * one session share one request.
   */
  readonly confirm: (sessionUid: string) => Promise<Confirmation>
}

/** Whether a session is still valid; if not, whether the provider refused, or was unavailable for too long. */
export type Confirmation = 'valid' | 'refused' | 'unconfirmed'

interface Dependencies extends Omit<RecordDependencies, 'graceMs'> {
  /** The provider, if one is configured. Sessions of another provider cannot be confirmed. */
  readonly identityProvider: IdentityProvider | undefined
  /** The hours for which sessions stay valid while the provider is unavailable. */
  readonly graceHours: number
}

/**
 * Creates the sessions. Requests to the provider are made outside of transactions. One process makes one request per
 * session at a time; of several processes that share a store, one can be refused because another has just used the
 * refresh token, so a refusal counts only if the stored session has not changed.
 */
export function createUpstreamSessions(dependencies: Dependencies): UpstreamSessions {
  const { now, log, identityProvider, graceHours } = dependencies
  const graceMs = graceHours * HOUR
  const records = createUpstreamSessionRecords({ ...dependencies, graceMs })
  const enqueue = createFairQueue(QUEUE)
  const inProgress = new Map<string, Promise<Confirmation>>()

  const read = async ({ issuer, subject, userId, providerTokens = {} }: StoredUpstreamSession): Promise<ReadResult> => {
    const unavailable = (cause: unknown): ReadResult => ({ type: 'unavailable', cause, tokens: providerTokens })
    if (identityProvider?.issuer !== issuer) return unavailable(new Error('the provider is no longer configured'))
    try {
      return await enqueue({ caller: userId, work: () => identityProvider.refreshClaims(providerTokens, subject) })
    } catch (error) {
      // The queue is full.
      return unavailable(error)
    }
  }

  const confirmOnce = async (sessionUid: string): Promise<Confirmation> => {
    const session = await records.find(sessionUid)
    if (!session) return 'valid'
    if (session.endedAt !== undefined) return 'refused'
    const { userId, readAt } = session
    const result = await read(session)
    if (result.type === 'read') {
      if (await records.extend(session, result)) return 'valid'
      return (await records.end(session)) ? 'refused' : 'valid'
    }
    if (result.type === 'refused') {
      if (!(await records.end(session))) return 'valid'
      log.info({ userId, err: result.cause }, 'the identity provider ended the session of a person')
      return 'refused'
    }
    log.warn({ userId, err: result.cause }, 'the identity provider was unavailable to confirm a session')
    if (now() - Date.parse(readAt) >= graceMs) return (await records.end(session)) ? 'unconfirmed' : 'valid'
    await records.storeTokens(session, result.tokens)
    return 'valid'
  }

  return {
    add: records.add,
    bind: records.bind,
    confirm: (sessionUid) => {
      const pending = inProgress.get(sessionUid)
      if (pending !== undefined) return pending
      const confirmation = confirmOnce(sessionUid).finally(() => inProgress.delete(sessionUid))
      inProgress.set(sessionUid, confirmation)
      return confirmation
    }
  }
}

/** Limits the concurrent requests to the provider, fairly across people. */
const QUEUE = {
  subject: 'requests to the identity provider',
  maxRunning: 16,
  maxQueuedPerCaller: 32,
  maxQueued: 1024,
  retryAfterMs: SECOND
} as const

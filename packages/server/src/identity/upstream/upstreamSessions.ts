import type { EditRunner } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import { createFairQueue } from '../../lib/fairQueue.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import { DAY, HOUR, SECOND, toIsoString } from '../../lib/time.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import type { StoredUpstreamSession, StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { lifetimes } from '../keys/lifetimes.ts'
import { endUpstreamSession } from './endUpstreamSession.ts'
import type { CompletedLogin, IdentityProvider, ReadResult } from './identityProvider.ts'
import { updateFromClaims } from './updateFromClaims.ts'

/** The login sessions that people started through the identity provider. */
export interface UpstreamSessions {
  /** Stores a login at the provider. Returns the id of the session, to bind it to a browser. */
  readonly add: (user: StoredUser, login: CompletedLogin) => Promise<string>
  /** Binds a session to a browser session by its `uid`. Returns false if it has ended. */
  readonly bind: (id: string, sessionUid: string) => Promise<boolean>
  /**
   * Updates name and groups of the person, and ends the session if the provider refuses, or was unavailable for longer
   * than the grace period. Sessions that were not started through the provider are always valid. Concurrent calls for
   * one session share one request.
   */
  readonly confirm: (sessionUid: string) => Promise<Confirmation>
}

/** Whether a session is still valid; if not, whether the provider refused, or was unavailable for too long. */
export type Confirmation = 'valid' | 'refused' | 'unconfirmed'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
  readonly log: Logger
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
  const { store, edit, ids, now, log, identityProvider, graceHours } = dependencies
  const graceMs = graceHours * HOUR
  const enqueue = createFairQueue(QUEUE)
  const inProgress = new Map<string, Promise<Confirmation>>()
  const sessionsOf = (of: Store) => of.collection('upstreamSessions')

  /** Returns when everything that is issued before the next confirmation has expired. */
  const expiryOf = (readAt: number) => readAt + graceMs + lifetimes.RefreshToken * SECOND + DAY

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

  const end = (id: string, given: StoredUpstreamSession): Promise<boolean> =>
    store.transaction(async (transaction) => {
      const current = await sessionsOf(transaction).get({ _id: id })
      // Another process has confirmed the session since, and replaced the refused tokens.
      if (current && current.endedAt === undefined && current.readAt !== given.readAt) return false
      if (current) await endUpstreamSession(transaction, current, { ids, now })
      return true
    })

  const storeRead = async (
    session: StoredUpstreamSession,
    { claims, tokens }: Extract<ReadResult, { type: 'read' }>
  ): Promise<boolean> => {
    const isSame = await edit(serverCaller(session._organization), async (change) => {
      const user = await change.store.collection('users').get({ userId: session.userId })
      const { issuer, subject } = user?.identity ?? {}
      if (!user || issuer !== session.issuer || subject !== session.subject) return false
      await updateFromClaims(user, claims, change, log)
      return true
    })
    return (
      isSame &&
      store.transaction(async (transaction) => {
        const current = await sessionsOf(transaction).get({ _id: session._id })
        if (!current || current.endedAt !== undefined) return false
        const at = toIsoString(now())
        const members = { providerTokens: tokens, readAt: at, updatedAt: at, expiresAt: expiryOf(now()) }
        await sessionsOf(transaction).update(session._id, members)
        return true
      })
    )
  }

  const storeTokens = (
    { _id, providerTokens: before }: StoredUpstreamSession,
    tokens: NonNullable<StoredUpstreamSession['providerTokens']>
  ): Promise<void> =>
    store.transaction(async (transaction) => {
      const current = await sessionsOf(transaction).get({ _id })
      if (current?.providerTokens?.refreshToken !== before?.refreshToken || tokens === before) return
      await sessionsOf(transaction).update(_id, { providerTokens: tokens, updatedAt: toIsoString(now()) })
    })

  const confirmOnce = async (sessionUid: string): Promise<Confirmation> => {
    const session = await sessionsOf(store).get({ sessionUid })
    if (!session) return 'valid'
    if (session.endedAt !== undefined) return 'refused'
    const { _id, userId, readAt } = session
    const result = await read(session)
    if (result.type === 'read') {
      if (await storeRead(session, result)) return 'valid'
      return (await end(_id, session)) ? 'refused' : 'valid'
    }
    if (result.type === 'refused') {
      if (!(await end(_id, session))) return 'valid'
      log.info({ userId, err: result.cause }, 'the identity provider ended the session of a person')
      return 'refused'
    }
    log.warn({ userId, err: result.cause }, 'the identity provider was unavailable to confirm a session')
    if (now() - Date.parse(readAt) >= graceMs) return (await end(_id, session)) ? 'unconfirmed' : 'valid'
    await storeTokens(session, result.tokens)
    return 'valid'
  }

  return {
    add: async ({ userId, _organization }, { claims, sid, tokens }) => {
      const { issuer, subject } = claims
      const fields = newRecordFields(now(), ids)
      const { _id } = await sessionsOf(store).insert({
        ...fields,
        userId,
        _organization,
        issuer,
        subject,
        ...(sid === undefined ? {} : { sid }),
        providerTokens: tokens,
        readAt: fields.createdAt,
        // Until it is bound to a browser.
        expiresAt: now() + lifetimes.Interaction * SECOND
      })
      return _id
    },
    bind: (id, sessionUid) =>
      store.transaction(async (transaction) => {
        const session = await sessionsOf(transaction).get({ _id: id })
        if (!session || session.endedAt !== undefined) return false
        if (session.sessionUid === sessionUid) return true
        const earlier = await sessionsOf(transaction).get({ sessionUid })
        // The same person signed in again in this browser.
        if (earlier) await sessionsOf(transaction).remove(earlier._id)
        const expiresAt = expiryOf(Date.parse(session.readAt))
        await sessionsOf(transaction).update(id, { sessionUid, expiresAt, updatedAt: toIsoString(now()) })
        return true
      }),
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

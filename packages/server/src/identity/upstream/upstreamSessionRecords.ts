import type { EditRunner } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import { DAY, SECOND, toIsoString } from '../../lib/time.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import type { StoredUpstreamSession, StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { lifetimes } from '../keys/lifetimes.ts'
import { endUpstreamSession } from './endUpstreamSession.ts'
import type { ReadResult } from './identityProvider.ts'
import type { CompletedLogin } from './providerLogin.ts'
import { updateFromClaims } from './updateFromClaims.ts'

/** The stored login sessions at the identity provider, each changed in one transaction. */
export interface UpstreamSessionRecords {
  /** Stores a login at the provider. Returns the id of the session, to bind it to a browser. */
  readonly add: (user: StoredUser, login: CompletedLogin) => Promise<string>
  /** Binds a session to a browser session by its `uid`. Returns false if it has ended. */
  readonly bind: (id: string, sessionUid: string) => Promise<boolean>
  readonly find: (sessionUid: string) => Promise<StoredUpstreamSession | undefined>
  /** Ends a session. Returns false if another process has confirmed it since it was read. */
  readonly end: (session: StoredUpstreamSession) => Promise<boolean>
  /** Updates the person from the provider's claims and extends the session. Returns false if either has ended. */
  readonly extend: (session: StoredUpstreamSession, read: Extract<ReadResult, { type: 'read' }>) => Promise<boolean>
  /** Stores tokens that the provider replaced without confirming the session. */
  readonly storeTokens: (session: StoredUpstreamSession, tokens: ProviderTokens) => Promise<void>
}

type ProviderTokens = NonNullable<StoredUpstreamSession['providerTokens']>

/** The dependencies of the records. */
export interface RecordDependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
  readonly log: Logger
  /** How long sessions stay valid while the provider is unavailable. */
  readonly graceMs: number
}

/** Creates the records of a store. */
export function createUpstreamSessionRecords(dependencies: RecordDependencies): UpstreamSessionRecords {
  const { store, edit, ids, now, log, graceMs } = dependencies
  const sessionsOf = (of: Store) => of.collection('upstreamSessions')

  /** Returns when everything that is issued before the next confirmation has expired. */
  const expiryOf = (readAt: number) => readAt + graceMs + lifetimes.RefreshToken * SECOND + DAY

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
    find: (sessionUid) => sessionsOf(store).get({ sessionUid }),
    end: (given) =>
      store.transaction(async (transaction) => {
        const current = await sessionsOf(transaction).get({ _id: given._id })
        // Another process has confirmed the session since, and replaced the refused tokens.
        if (current && current.endedAt === undefined && current.readAt !== given.readAt) return false
        if (current) await endUpstreamSession(transaction, current, { ids, now })
        return true
      }),
    extend: async (session, { claims, tokens }) => {
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
    },
    storeTokens: ({ _id, providerTokens: before }, tokens) =>
      store.transaction(async (transaction) => {
        const current = await sessionsOf(transaction).get({ _id })
        if (current?.providerTokens?.refreshToken !== before?.refreshToken || tokens === before) return
        await sessionsOf(transaction).update(_id, { providerTokens: tokens, updatedAt: toIsoString(now()) })
      })
  }
}

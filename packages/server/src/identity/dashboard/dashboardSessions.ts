import { omitUndefined } from '@burgee/kit'
import type { Identity } from '../../access/permissions/caller.ts'
import { toUserIdentity } from '../../access/permissions/findIdentity.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { DAY, HOUR, MINUTE, SECOND, toIsoString } from '../../lib/time.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import {
  DASHBOARD_CLIENT_ID,
  DASHBOARD_SESSION,
  type StoredAuthorization
} from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { digestBearer } from '../oauth/digestBearer.ts'
import { isRevoked } from '../provider/isRevoked.ts'
import type { Generations } from '../revocation/generations.ts'
import type { UpstreamSessions } from '../upstream/upstreamSessions.ts'
import { endBrowserSession } from './endBrowserSession.ts'

/** A session of the dashboard ends after this time without a request. */
const IDLE_MS = 12 * HOUR

/** The maximum lifetime of a session. */
const LIFETIME_MS = 7 * DAY

/** How often the use of a session is stored; each time is a durable write. */
const TOUCH_MS = 5 * MINUTE

/** How often the identity provider confirms a session that was started through it. */
const CONFIRM_MS = HOUR

/** A completed sign-in. */
export interface DashboardSignIn {
  readonly accountId: string
  /** Epoch seconds. */
  readonly authTime: number
  /** The authentication methods (RFC 8176). */
  readonly amr?: readonly string[] | undefined
  /** The login session of the authorization server in the same browser. */
  readonly sessionUid?: string | undefined
  readonly grantId?: string | undefined
  /** Those of the person and the client before the sign-in was checked. */
  readonly generations: Generations
}

/** The browser sessions of the dashboard. Their bearer values are in cookies; the store has the hashes. */
export interface DashboardSessions {
  /** Creates a session, in place of an earlier one of the browser. Returns its bearer value. */
  readonly create: (signIn: DashboardSignIn, replaced: string | undefined) => Promise<string>
  /** Returns the person of a session with the current permissions; undefined if it has ended. `isUse` extends it. */
  readonly find: (token: string, isUse: boolean) => Promise<Identity | undefined>
  /** Ends a session, if it exists, with the login session and the grant that it came from. */
  readonly end: (token: string) => Promise<void>
}

interface Dependencies {
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
  readonly upstreamSessions: UpstreamSessions
}

/** Creates the sessions. */
export function createDashboardSessions(dependencies: Dependencies): DashboardSessions {
  const { store, ids, now, upstreamSessions } = dependencies
  const read = (token: string) =>
    store.collection('authorizations').get({ digest: digestBearer(DASHBOARD_SESSION, token) })

  const end = async ({ _id }: StoredAuthorization) => {
    await store.transaction(async (transaction) => {
      const current = await transaction.collection('authorizations').get({ _id })
      if (current) await endBrowserSession(transaction, current, dependencies)
    })
  }

  /** Returns whether the identity provider still accepts the session; asks at most once per hour. */
  const isConfirmed = async (session: StoredAuthorization): Promise<boolean> => {
    const { sessionUid, confirmedAt = session.createdAt } = payloadOf(session)
    if (sessionUid === undefined || Date.parse(confirmedAt) + CONFIRM_MS > now()) return true
    if ((await upstreamSessions.confirm(sessionUid)) !== 'valid') {
      await end(session)
      return false
    }
    await update(session._id, (current) => ({ payload: { ...current.payload, confirmedAt: toIsoString(now()) } }))
    return true
  }

  const update = (_id: string, change: (current: StoredAuthorization) => Partial<StoredAuthorization>): Promise<void> =>
    store.transaction(async (transaction) => {
      const authorizations = transaction.collection('authorizations')
      // A session that ended meanwhile is not restored.
      const current = await authorizations.get({ _id })
      if (current) await authorizations.update(_id, change(current))
    })

  const touch = async ({ _id, updatedAt, createdAt }: StoredAuthorization): Promise<void> => {
    if (Date.parse(updatedAt) + TOUCH_MS > now()) return
    await update(_id, () => ({ updatedAt: toIsoString(now()), expiresAt: expiryOf(Date.parse(createdAt), now()) }))
  }

  return {
    create: async ({ generations, grantId, ...payload }, replaced) => {
      const token = ids.bytes(32).toString('base64url')
      await store.collection('authorizations').insert({
        ...newRecordFields(now(), ids),
        model: DASHBOARD_SESSION,
        digest: digestBearer(DASHBOARD_SESSION, token),
        payload: { ...omitUndefined(payload), clientId: DASHBOARD_CLIENT_ID },
        expiresAt: expiryOf(now(), now()),
        ...omitUndefined({ grantId }),
        generations
      })
      const earlier = replaced === undefined ? undefined : await read(replaced)
      // The login session can be the same, and continues.
      if (earlier) await store.collection('authorizations').remove(earlier._id)
      return token
    },
    find: async (token, isUse) => {
      const session = await read(token)
      if (!session || (session.expiresAt ?? 0) <= now() || (await isRevoked(session, store))) return undefined
      if (!(await isConfirmed(session))) return undefined
      const { accountId, authTime, amr = [] } = payloadOf(session)
      const user = await store.collection('users').get({ userId: accountId })
      const client = await store.collection('clients').get({ clientId: DASHBOARD_CLIENT_ID })
      const organization = user && (await store.collection('organizations').get({ key: user._organization }))
      if (!organization || !client || user.isDisabled) return undefined
      if (isUse) await touch(session)
      return {
        ...toUserIdentity(user, organization, client),
        signIn: { at: authTime * SECOND, methods: amr, origin: session._id },
        expiresAt: expiryOf(Date.parse(session.createdAt), now())
      }
    },
    end: async (token) => {
      const session = await read(token)
      if (session) await end(session)
    }
  }
}

/** `create` wrote the payload. */
function payloadOf({ payload }: StoredAuthorization): SessionPayload {
  return payload as unknown as SessionPayload
}

function expiryOf(createdAt: number, usedAt: number): number {
  return Math.min(usedAt + IDLE_MS, createdAt + LIFETIME_MS)
}

interface SessionPayload {
  readonly accountId: string
  readonly authTime: number
  readonly amr?: readonly string[]
  readonly sessionUid?: string
  /** When the identity provider last confirmed the session. */
  readonly confirmedAt?: string
}

import type { LoginSession } from '@burgee/contract/schemas'
import { deletedChange } from '../../access/audit/changes.ts'
import type { EditRunner } from '../../access/audit/edit.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { itemNotFound } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { toIsoString } from '../../lib/time.ts'
import {
  DASHBOARD_CLIENT_ID,
  DASHBOARD_SESSION,
  type StoredAuthorization
} from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { endBrowserSession, sessionUidOf } from '../dashboard/endBrowserSession.ts'
import { getOwnAccount } from '../people/getOwnAccount.ts'
import { isRevoked } from '../provider/isRevoked.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
}

/** Lists the login sessions of the caller, the latest first. @throws {HttpError} 403 */
export async function listOwnSessions(dependencies: Dependencies, caller: TokenCaller): Promise<LoginSession[]> {
  const sessions = await findSessions(dependencies, caller)
  const ofDashboard = sessions.filter(({ model }) => model === DASHBOARD_SESSION)
  // A browser is listed once: its sessions end together.
  const logins = sessions.filter(
    ({ model, uid }) => model !== DASHBOARD_SESSION && !ofDashboard.some(({ payload }) => sessionUidOf(payload) === uid)
  )
  return [...logins, ...ofDashboard]
    .map((session) => toLoginSession(session, caller))
    .sort((one, other) => (one.signedInAt < other.signedInAt ? 1 : -1))
}

/** Ends a login session of the caller. @throws {HttpError} 403 or 404 */
export async function endOwnSession(dependencies: Dependencies, caller: TokenCaller, id: string): Promise<void> {
  const { store, edit } = dependencies
  const session = (await findSessions(dependencies, caller)).find(({ _id }) => _id === id)
  if (!session) throw itemNotFound('session', id)
  const { _id, signedInAt } = toLoginSession(session, caller)
  // Sessions are stored separately (ADR 2): the entry comes first, so that no session ends without one.
  await edit(caller, async ({ recordChanges }) => {
    recordChanges({}, [deletedChange('Session', { _id, signedInAt, user_id: caller.id })])
  })
  await store.transaction(async (transaction) => {
    await endBrowserSession(transaction, session, dependencies)
  })
}

async function findSessions(
  { store, now }: Dependencies,
  caller: TokenCaller
): Promise<readonly StoredAuthorization[]> {
  const { userId } = await getOwnAccount(store, caller)
  const ofModel = async (model: string) => (await store.collection('authorizations').list({ where: { model } })).items
  const own: StoredAuthorization[] = []
  for (const session of [...(await ofModel('Session')), ...(await ofModel(DASHBOARD_SESSION))]) {
    const { payload, expiresAt = Number.POSITIVE_INFINITY } = session
    if (payload.accountId !== userId || expiresAt <= now()) continue
    if (!(await isRevoked(session, store))) own.push(session)
  }
  return own
}

function toLoginSession(
  { _id, uid, model, createdAt, updatedAt, payload, expiresAt }: StoredAuthorization,
  { signIn }: TokenCaller
): LoginSession {
  // `oidc-provider` writes this member.
  const { authorizations = {} } = payload as SessionPayload
  return {
    _id,
    // A sign-in starts a new session.
    signedInAt: createdAt,
    lastUsedAt: updatedAt,
    expiresAt: toIsoString(expiresAt ?? Date.parse(updatedAt)),
    isCurrent: signIn !== undefined && [_id, uid].includes(signIn.origin),
    applications: model === DASHBOARD_SESSION ? [DASHBOARD_CLIENT_ID] : Object.keys(authorizations)
  }
}

interface SessionPayload {
  /** By client id. */
  readonly authorizations?: Readonly<Record<string, unknown>>
}

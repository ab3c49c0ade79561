import type { StoredAuthorization, StoredClient } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { lacksRequiredFactor } from '../organizations/secondFactorRequirement.ts'
import { applicationRevokedUntil, findRevocation } from '../tokens/revocations.ts'

/** A login result; the members that `oidc-provider` does not define describe the login. */
export interface LoginResult {
  readonly accountId: string
  /** When the person was last signed out, as of the verification of the credentials. */
  readonly signedOutAt?: string
  /** The id of the session at the identity provider, for a login through it. */
  readonly upstreamSession?: string
}

/** Whether stored state belongs to a person or client that was deleted, disabled, or signed out since. */
export async function isRevoked(authorization: StoredAuthorization, store: Store): Promise<boolean> {
  return (
    (await isRevokedForPerson(authorization, store)) ||
    (await isRevokedForClient(authorization, store)) ||
    (await isRevokedAlone(authorization, store))
  )
}

/** The moment before which everything issued to a client is revoked. */
export function clientValidSince({ createdAt, secretChangedAt = '', signedOutAt = '' }: StoredClient): string {
  const [latest = createdAt] = [createdAt, secretChangedAt, signedOutAt].sort().reverse()
  return latest
}

async function isRevokedForPerson(
  { model, payload, createdAt, uid }: StoredAuthorization,
  store: Store
): Promise<boolean> {
  // `oidc-provider` and `finishInteraction` write these members.
  const { accountId, amr, sessionUid = uid, session, result, lastSubmission } = payload as StoredPayload
  const login = result?.login ?? lastSubmission?.login
  const id = accountId ?? login?.accountId ?? session?.accountId
  if (id === undefined) return false
  const user = await store.collection('users').get({ userId: id })
  if (!user || user.isDisabled) return true
  if (login) return login.signedOutAt !== user.signedOutAt
  if (SIGN_IN_MODELS.has(model) && (await lacksRequiredFactor(store, user, { amr, sessionUid }))) return true
  return user.signedOutAt !== undefined && createdAt < user.signedOutAt
}

/** The models of `oidc-provider` that contain a sign-in and its methods. */
const SIGN_IN_MODELS: ReadonlySet<string> = new Set(['Session', 'AuthorizationCode', 'RefreshToken'])

async function isRevokedForClient({ payload, createdAt }: StoredAuthorization, store: Store): Promise<boolean> {
  const { clientId, params } = payload as StoredPayload
  const id = clientId ?? params?.client_id
  if (id === undefined) return false
  const client = await store.collection('clients').get({ clientId: id })
  return !client || createdAt < clientValidSince(client)
}

/** Whether its grant, session or application was revoked while a request was in progress, which then stored it. */
async function isRevokedAlone(
  { model, payload, createdAt, grantId, uid }: StoredAuthorization,
  store: Store
): Promise<boolean> {
  if (grantId !== undefined && (await findRevocation(store, 'grant', grantId))) return true
  if (model === 'Session') return uid !== undefined && (await findRevocation(store, 'session', uid)) !== undefined
  const { accountId, clientId } = payload as StoredPayload
  if (accountId === undefined || clientId === undefined) return false
  return Date.parse(createdAt) <= (await applicationRevokedUntil(store, { accountId, clientId }))
}

/** The members of stored state that name a person or client. */
interface StoredPayload {
  readonly accountId?: string
  readonly clientId?: string
  /** How the person signed in. */
  readonly amr?: readonly string[]
  /** The session in which a code or token was issued. */
  readonly sessionUid?: string
  readonly session?: { readonly accountId?: string }
  readonly params?: { readonly client_id?: string }
  readonly result?: { readonly login?: LoginResult }
  readonly lastSubmission?: { readonly login?: LoginResult }
}

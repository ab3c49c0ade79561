import { omitUndefined } from '@burgee/kit'
import { DASHBOARD_SESSION, type StoredAuthorization } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { lacksRequiredFactor } from '../organizations/secondFactorRequirement.ts'
import { type Issued, isEndedByClient, isEndedByUser, isEndedForApplication } from '../revocation/generations.ts'
import { findRevocation } from '../revocation/revocations.ts'

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
    (await isGrantOrSessionRevoked(authorization, store))
  )
}

/** The person and the client that stored state belongs to. */
export function ownerOf(payload: StoredAuthorization['payload']): Issued {
  const { accountId, clientId, params, session } = payload as StoredPayload
  return omitUndefined({
    accountId: accountId ?? loginOf(payload)?.accountId ?? session?.accountId,
    clientId: clientId ?? params?.client_id
  })
}

function loginOf(payload: StoredAuthorization['payload']): LoginResult | undefined {
  const { result, lastSubmission } = payload as StoredPayload
  return result?.login ?? lastSubmission?.login
}

async function isRevokedForPerson(authorization: StoredAuthorization, store: Store): Promise<boolean> {
  const { model, payload, uid } = authorization
  const { accountId: id } = ownerOf(payload)
  if (id === undefined) return false
  const login = loginOf(payload)
  const { amr, sessionUid = uid } = payload as StoredPayload
  const user = await store.collection('users').get({ userId: id })
  if (!user || user.isDisabled) return true
  if (login) return login.signedOutAt !== user.signedOutAt
  if (SIGN_IN_MODELS.has(model) && (await lacksRequiredFactor(store, user, { amr, sessionUid }))) return true
  return isEndedByUser(issueOf(authorization), user)
}

/** The models that contain a sign-in and its methods. */
const SIGN_IN_MODELS: ReadonlySet<string> = new Set([
  'Session',
  'AuthorizationCode',
  'DeviceCode',
  'RefreshToken',
  DASHBOARD_SESSION
])

async function isRevokedForClient(authorization: StoredAuthorization, store: Store): Promise<boolean> {
  const { clientId } = ownerOf(authorization.payload)
  if (clientId === undefined) return false
  const client = await store.collection('clients').get({ clientId })
  return !client || isEndedByClient(issueOf(authorization), client)
}

/**
 * Whether the grant, session or application of stored state was revoked. A request in progress can store state after
 * its revocation.
 */
async function isGrantOrSessionRevoked(authorization: StoredAuthorization, store: Store): Promise<boolean> {
  const { model, payload, grantId, uid } = authorization
  if (grantId !== undefined && (await findRevocation(store, 'grant', grantId))) return true
  if (model === 'Session') return uid !== undefined && (await findRevocation(store, 'session', uid)) !== undefined
  const { accountId, clientId } = payload as StoredPayload
  if (accountId === undefined || clientId === undefined) return false
  return isEndedForApplication(issueOf(authorization), { accountId, clientId }, store)
}

function issueOf({ createdAt, generations }: StoredAuthorization) {
  return { issuedAt: Date.parse(createdAt), generations }
}

/** The members of stored state that name a person or client, written by `oidc-provider` and `finishInteraction`. */
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

import type { IdGenerator } from '../../lib/idGenerator.ts'
import { toIsoString } from '../../lib/time.ts'
import type { StoredAuthorization, StoredUpstreamSession } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { addRevocation } from '../revocation/revocations.ts'

interface Dependencies {
  readonly ids: IdGenerator
  readonly now: () => number
}

/**
 * Ends a session that was started through the identity provider, in a transaction: the session of the browser, and the
 * codes, refresh tokens and access tokens that were issued in it. Consents are kept; the tokens of the provider are
 * deleted.
 */
export async function endUpstreamSession(
  transaction: Store,
  { _id, sessionUid, endedAt }: StoredUpstreamSession,
  dependencies: Dependencies
): Promise<void> {
  if (endedAt !== undefined) return
  const at = toIsoString(dependencies.now())
  const ended = { endedAt: at, updatedAt: at, providerTokens: undefined }
  await transaction.collection('upstreamSessions').update(_id, ended)
  if (sessionUid === undefined) return
  const authorizations = transaction.collection('authorizations')
  const grants = new Set<string>()
  for (const record of (await authorizations.list()).items) {
    if (!isIssuedIn(record, sessionUid)) continue
    for (const grant of grantsOf(record)) grants.add(grant)
    await authorizations.remove(record._id)
  }
  await addRevocation(transaction, { session: sessionUid }, dependencies)
  for (const grant of grants) await addRevocation(transaction, { grant }, dependencies)
}

/** Whether a record is the session, or was issued in it. */
function isIssuedIn({ model, uid, payload }: StoredAuthorization, sessionUid: string): boolean {
  return model === 'Session' ? uid === sessionUid : payload.sessionUid === sessionUid
}

/** Returns the grants of a token, or of the applications in a session, from the payloads of `oidc-provider`. */
function grantsOf({ grantId, payload }: StoredAuthorization): readonly string[] {
  const { authorizations = {} } = payload as SessionPayload
  const ofApplications = Object.values(authorizations).map((authorization) => authorization.grantId)
  return [grantId, ...ofApplications].filter((grant) => grant !== undefined)
}

interface SessionPayload {
  /** By client id. */
  readonly authorizations?: Readonly<Record<string, { readonly grantId?: string }>>
}

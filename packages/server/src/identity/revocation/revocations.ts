import type { IdGenerator } from '../../lib/idGenerator.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import type { StoredRevocation } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { ISSUE_DELAY, lifetimes } from '../keys/lifetimes.ts'

/** The kinds of revocations, in addition to the removal of stored state. */
export type RevocationSubject =
  /** An access token by its `jti`, with the tokens that it was exchanged for. */
  | { readonly token: string; readonly expiresAt: number }
  /** The access tokens of a grant. */
  | { readonly grant: string }
  /** A login session by its `uid`. */
  | { readonly session: string }
  /** Everything that a person allowed an application up to now. */
  | { readonly application: Application }

/** A person and an application. */
export interface Application {
  readonly accountId: string
  readonly clientId: string
}

interface Dependencies {
  readonly ids: IdGenerator
  readonly now: () => number
}

/** Stores a revocation until everything that it revokes has expired. */
export async function addRevocation(
  store: Store,
  revoked: RevocationSubject,
  { ids, now }: Dependencies
): Promise<void> {
  const fields = newRecordFields(now(), ids)
  const { updatedAt } = fields
  const subject = subjectOf(revoked)
  const members = {
    subject,
    expiresAt: now() + remainingMs(revoked, now()),
    ...('application' in revoked ? { until: updatedAt } : {})
  }
  const revocations = store.collection('revocations')
  const earlier = await revocations.get({ subject })
  if (earlier) await revocations.update(earlier._id, { ...members, updatedAt })
  else await revocations.insert({ ...fields, ...members })
}

/**
 * Records that a logout token was used, until it expires. Returns false if it was used before. `digest`
 * identifies the token.
 */
export async function consumeLogoutToken(
  store: Store,
  { digest, expiresAt }: { readonly digest: string; readonly expiresAt: number },
  { ids, now }: Dependencies
): Promise<boolean> {
  if (await isLogoutTokenConsumed(store, digest)) return false
  const fields = newRecordFields(now(), ids)
  await store.collection('revocations').insert({ ...fields, subject: `logoutToken ${digest}`, expiresAt })
  return true
}

/** Whether a logout token was used before. */
export async function isLogoutTokenConsumed(store: Store, digest: string): Promise<boolean> {
  return (await store.collection('revocations').get({ subject: `logoutToken ${digest}` })) !== undefined
}

/** Returns the revocation of this token, grant or session, if there is one. */
export function findRevocation(
  store: Store,
  kind: 'token' | 'grant' | 'session',
  id: string
): Promise<StoredRevocation | undefined> {
  return store.collection('revocations').get({ subject: `${kind} ${id}` })
}

/** Returns the time up to which a person revoked everything of an application, in epoch milliseconds. */
export async function applicationRevokedUntil(store: Store, application: Application): Promise<number> {
  const found = await store.collection('revocations').get({ subject: subjectOf({ application }) })
  return found?.until === undefined ? Number.NEGATIVE_INFINITY : Date.parse(found.until)
}

function subjectOf(revoked: RevocationSubject | { readonly application: Application }): string {
  if ('token' in revoked) return `token ${revoked.token}`
  if ('grant' in revoked) return `grant ${revoked.grant}`
  if ('session' in revoked) return `session ${revoked.session}`
  const { accountId, clientId } = revoked.application
  return `application ${accountId} ${clientId}`
}

/**
 * How long a revocation is stored: the maximum lifetime of the revoked tokens, with a margin for requests in progress.
 */
function remainingMs(revoked: RevocationSubject, now: number): number {
  if ('token' in revoked) return Math.max(revoked.expiresAt - now, 0)
  if ('grant' in revoked) return (lifetimes.AccessToken + ISSUE_DELAY) * 1000
  if ('session' in revoked) return (lifetimes.Session + ISSUE_DELAY) * 1000
  return (lifetimes.Grant + ISSUE_DELAY) * 1000
}

import { createHash } from 'node:crypto'
import { formatClientSubject } from '../../access/permissions/findIdentity.ts'
import { formatWorkloadSubject } from '../../access/permissions/workloadIdentity.ts'
import type { StoredClient, StoredUser } from '../../storage/resources/organization.ts'
import type { StoredWorkloadTrust } from '../../storage/resources/workload.ts'
import type { Store } from '../../storage/store.ts'
import { type Application, applicationRevokedUntil } from './revocations.ts'

/**
 * The generations of the holders that a token or stored state depends on, by subject. A revocation begins a new
 * generation of a holder, and ends everything of earlier ones. Comparing times instead would miss a request that starts
 * after the time of a revocation but reads the state from before it, because the revocation is still being written
 * (ADR 66).
 */
export type Generations = Readonly<Record<string, string>>

/** The person and the client that something is issued to. */
export type Issued = Partial<Application>

/** The generation of a person: a sign-out, a new password and disabling the person change it. */
export function userGeneration({ _id, signedOutAt = '' }: Pick<StoredUser, '_id' | 'signedOutAt'>): string {
  return generationOf(_id, signedOutAt)
}

/** The generation of a client: a new secret and a change of what consents refer to change it. */
export function clientGeneration({ _id, secretChangedAt = '', signedOutAt = '' }: StoredClient): string {
  return generationOf(_id, secretChangedAt, signedOutAt)
}

/** The generation of a trust: every change except of its name changes it. */
export function trustGeneration({ _id, changedAt = '' }: StoredWorkloadTrust): string {
  return generationOf(_id, changedAt)
}

/**
 * The generation of what a person allowed an application: a revocation of the application by the person changes it.
 * Undefined if there is none, or if it has ended because everything that it revoked has expired.
 */
export async function applicationGeneration(store: Store, application: Application): Promise<string | undefined> {
  const until = await applicationRevokedUntil(store, application)
  return Number.isFinite(until) ? generationOf(String(until)) : undefined
}

/** The key of `applicationGeneration`. */
export function formatApplication({ accountId, clientId }: Application): string {
  return `${accountId} ${clientId}`
}

/** Reads the current generations of a person, of a client, and of what the person allowed the client. */
export async function readGenerations(store: Store, { accountId, clientId }: Issued): Promise<Generations> {
  const user = accountId === undefined ? undefined : await store.collection('users').get({ userId: accountId })
  const client = clientId === undefined ? undefined : await store.collection('clients').get({ clientId })
  const application = accountId === undefined || clientId === undefined ? undefined : { accountId, clientId }
  return {
    ...(user ? { [user.userId]: userGeneration(user) } : {}),
    ...(client ? { [formatClientSubject(client)]: clientGeneration(client) } : {}),
    ...(application
      ? { [formatApplication(application)]: (await applicationGeneration(store, application)) ?? '' }
      : {})
  }
}

/** When and in which generations a token or stored state was issued. */
interface Issue {
  /** In epoch milliseconds. Counts only for tokens and state of earlier versions, which recorded no generations. */
  readonly issuedAt: number
  readonly generations?: Generations | undefined
}

/** Whether a revocation of a person ended something. */
export function isEndedByUser(issue: Issue, user: StoredUser): boolean {
  return isOfEarlierGeneration(issue, user.userId, userGeneration(user)) ?? isBefore(issue, user.signedOutAt)
}

/** Whether a revocation of a client ended something. */
export function isEndedByClient(issue: Issue, client: StoredClient): boolean {
  const { createdAt, secretChangedAt, signedOutAt } = client
  const isOld = isOfEarlierGeneration(issue, formatClientSubject(client), clientGeneration(client))
  return isOld ?? [createdAt, secretChangedAt, signedOutAt].some((moment) => isBefore(issue, moment))
}

/** Whether a change of a trust ended something. */
export function isEndedByTrust(issue: Issue, trust: StoredWorkloadTrust): boolean {
  return (
    isOfEarlierGeneration(issue, formatWorkloadSubject(trust), trustGeneration(trust)) ??
    isBefore(issue, trust.changedAt)
  )
}

/** Whether a person ended something by revoking an application. */
export async function isEndedForApplication(issue: Issue, application: Application, store: Store): Promise<boolean> {
  const current = await applicationGeneration(store, application)
  if (current === undefined) return false
  const isOld = isOfEarlierGeneration(issue, formatApplication(application), current)
  return isOld ?? issue.issuedAt <= (await applicationRevokedUntil(store, application))
}

/**
 * Whether a token or stored state belongs to a generation of a holder other than the current one. Undefined if its
 * generation was not recorded, as in earlier versions.
 */
function isOfEarlierGeneration({ generations }: Issue, subject: string, current: string): boolean | undefined {
  const recorded = generations?.[subject]
  return recorded === undefined ? undefined : recorded !== current
}

/** Whether something was issued before a time, if there is one. */
function isBefore({ issuedAt }: Issue, moment: string | undefined): boolean {
  return moment !== undefined && issuedAt < Date.parse(moment)
}

/** A hash, because tokens contain it and must not reveal to their holders when an administrator signed them out. */
function generationOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('base64url').slice(0, 16)
}

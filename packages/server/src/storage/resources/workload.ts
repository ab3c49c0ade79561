import type { Permission, Role } from '@burgee/contract'
import type { ClaimCondition, Workload, WorkloadTrust } from '@burgee/contract/schemas'
import type { CreatedRecordFields, Of, RecordFields } from './recordFields.ts'

/** A trust in the workloads of an issuer, whose identity tokens can be exchanged for access tokens. */
export interface StoredWorkloadTrust
  extends CreatedRecordFields,
    Of<WorkloadTrust, 'key' | 'name' | 'issuer' | 'audience' | 'jwksUri' | 'enabled' | 'expiresAt'> {
  readonly conditions: readonly ClaimCondition[]
  readonly grants: StoredWorkloadGrants
  /** Tokens from before this time are revoked, because the trust was changed since. */
  readonly changedAt?: string
  /** Who changed anything but the name, each as the person responsible (`findRoot`): they decide which jobs it admits. */
  readonly _roots?: readonly string[]
  /** Key of the organization. */
  readonly _organization: string
}

/** What the tokens of a trust may do. Projects and environments are ids, which are never used again. */
export interface StoredWorkloadGrants {
  readonly _projects: readonly string[]
  /** The role in the projects; `permissions` instead if absent. */
  readonly role?: Role
  readonly permissions?: readonly Permission[]
  /** The environments that changes are limited to; no limit if absent. */
  readonly _environments?: readonly string[]
  /** The lifetime of tokens, in seconds. */
  readonly maxLifetime: number
}

/** A subject token that was exchanged, so that it is not exchanged again, and the access token that it gave. */
export interface StoredWorkloadToken extends RecordFields {
  /** SHA-256 of the issuer and the id of the subject token. */
  readonly digest: string
  readonly _trust: string
  /** The `jti` of the access token. */
  readonly tokenId: string
  readonly workload: Workload
  /** When the access token ends, in epoch milliseconds. */
  readonly expiresAt: number
  /** When both tokens have ended, in epoch milliseconds. */
  readonly keptUntil: number
}

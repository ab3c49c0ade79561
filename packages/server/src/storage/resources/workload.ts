import type { Permission, Role } from '@burgee/contract'
import type { ClaimCondition, Workload, WorkloadTrust } from '@burgee/contract/schemas'
import type { CreatedRecordFields, Of, RecordFields } from './recordFields.ts'

/** A trust in the workloads of an issuer, whose identity tokens can be exchanged for access tokens. */
export interface StoredWorkloadTrust
  extends CreatedRecordFields,
    Of<WorkloadTrust, 'key' | 'name' | 'issuer' | 'audience' | 'jwksUri' | 'enabled' | 'expiresAt'> {
  readonly conditions: readonly ClaimCondition[]
  readonly grants: StoredWorkloadGrants
  /** Tokens that were issued before this time are revoked. Set by each change of the trust except of its name. */
  readonly changedAt?: string
  /** Who changed anything but the name, each as the person responsible (`findRoot`): they decide which jobs it accepts. */
  readonly _roots?: readonly string[]
  /** The `expiresAt` of the last warning. */
  readonly warnedOf?: string
  /** Key of the organization. */
  readonly _organization: string
}

/** The permissions of the tokens of a trust. Projects and environments are ids, which are never reused. */
export interface StoredWorkloadGrants {
  readonly _projects: readonly string[]
  /** The role in the projects; `permissions` instead if absent. */
  readonly role?: Role
  readonly permissions?: readonly Permission[]
  /** The only environments that tokens can change; all if absent. */
  readonly _environments?: readonly string[]
  /** The lifetime of tokens, in seconds. */
  readonly maxLifetime: number
}

/** An exchanged subject token, which cannot be exchanged again, and the access token that was issued for it. */
export interface StoredWorkloadToken extends RecordFields {
  /** SHA-256 of the issuer and the id of the subject token. */
  readonly digest: string
  readonly _trust: string
  /** The `jti` of the access token. */
  readonly tokenId: string
  /** The generation of the trust in which it was issued. Absent from earlier versions. */
  readonly generation?: string
  readonly workload: Workload
  /** When the access token expires, in epoch milliseconds. */
  readonly expiresAt: number
  /** When both tokens have expired, in epoch milliseconds. */
  readonly keptUntil: number
}

import type {
  Actor,
  AppliedChangeRequest,
  AuditLogChange,
  AuditLogEntry,
  ChangeRequest,
  ChangeRequestReview,
  ChangeSource,
  ProjectChangeRequest,
  Workload
} from '@burgee/contract/schemas'
import type { Json } from '@burgee/core'
import type { StoredConfiguration, StoredFeature, StoredVariable } from './feature.ts'
import type { Of, RecordFields } from './recordFields.ts'

/** A change of a feature, or of a project, that waits for approval. */
export interface StoredChangeRequest
  extends Readonly<Omit<ChangeRequest, 'contentHash' | '_feature' | '_baseFeatureSnapshot' | 'operation' | 'reviews'>>,
    Readonly<Partial<Pick<ChangeRequest, '_feature' | '_baseFeatureSnapshot'>>>,
    Readonly<Partial<Pick<ProjectChangeRequest, 'method' | 'path'>>> {
  readonly operation: ChangeRequest['operation'] | ProjectChangeRequest['operation']
  readonly reviews: readonly StoredReview[]
  /** The body of the request that makes the change. */
  readonly body: Readonly<Record<string, Json>>
  /** A fingerprint of the resulting state. Absent in requests of earlier versions. */
  readonly effect?: string
  /** The id of the resource that a request of a project changes. */
  readonly _target?: string
  /** The person responsible for the client that made the request (`findRoot`), if a client made it. */
  readonly _clientMaker?: string
  /** The person or client in whose name a scheduled request is applied. */
  readonly _scheduledBy?: string
  /** The client through which the request was scheduled. */
  readonly _scheduledThrough?: string
}

/** A review of a change request. */
export interface StoredReview extends Readonly<ChangeRequestReview> {
  /** The people responsible for the reviewer when the review was given (`findRoots`). Absent from older reviews. */
  readonly _roots?: readonly string[]
}

/** The changes of one edit through the management API. Entries never change. */
export interface StoredAuditEntry extends RecordFields, Of<AuditLogEntry, '_project' | '_feature' | 'idp_user'> {
  readonly _organization: string
  /** The ids of the environments that the changes affect. */
  readonly _environments: readonly string[]
  readonly changes: readonly AuditLogChange[]
  /** The change request that was applied. */
  readonly changeRequest?: AppliedChangeRequest
  readonly actor?: Actor
  /** The client that made the changes, or that a person used. */
  readonly clientId?: string
  readonly source?: ChangeSource
  /** The name that the program of an assistant reported. */
  readonly assistant?: string
  /** The CI job that made the changes. */
  readonly workload?: Workload
  /** The network address of the request. Absent from changes of the server itself, and of earlier versions. */
  readonly address?: string
  /** The position in the hash chain, from 1. Entries of versions without the chain have neither position nor hashes. */
  readonly position?: number
  /** The hash of the previous entry; for the first, the hash of all entries before the chain. */
  readonly previousHash?: string
  /** SHA-256 of the entry without this member, as JSON with sorted members. */
  readonly hash?: string
  /** The position among the entries of its feature, from 1, since several can have the same `createdAt`. */
  readonly sequence?: number
  /** The changed parts of the feature before the change, for a revert. */
  readonly undo?: FeatureUndo
}

/** The items that a change of a feature replaced or removed, as they were before, and the ids of added items. */
export interface FeatureUndo {
  readonly features: readonly StoredFeature[]
  readonly configurations: readonly StoredConfiguration[]
  readonly variables: readonly StoredVariable[]
  readonly added: readonly string[]
}

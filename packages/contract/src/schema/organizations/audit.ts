import { z } from 'zod'
import { ChangeSource, DateTime, Id, Json, UserReference } from '../common/fields.ts'
import { auditLogChange } from '../examples/checkout.ts'
import { admin, createdAt, ids } from '../examples/shop.ts'
import { Workload } from './workloadTrust.ts'

/**
 * The types of changes of a feature, its kill, and the application of a change request in an emergency. They are also
 * the event types of webhooks (docs/reference/management.md#change-types).
 */
export const ChangeType = z
  .enum([
    'createdFeature',
    'modifiedFeature',
    'deletedFeature',
    'modifiedFeatureStatus',
    'addedVariable',
    'modifiedVariable',
    'removedVariable',
    'addedVariation',
    'modifiedVariation',
    'removedVariation',
    'addedTarget',
    'modifiedTarget',
    'removedTarget',
    'reorderedTargets',
    'enabledEnvironment',
    'disabledEnvironment',
    'killedFeature',
    'modifiedSettings',
    'appliedInEmergency'
  ])
  .meta({ id: 'ChangeType' })
export type ChangeType = z.infer<typeof ChangeType>

/** The warnings that a credential expires soon, which are event types of webhooks too (docs/guides/keys.md#warnings). */
export const ExpiryWarning = z
  .enum(['expiringSdkKey', 'expiringApiClient', 'expiringScimToken', 'expiringWorkloadTrust'])
  .meta({ id: 'ExpiryWarning' })
export type ExpiryWarning = z.infer<typeof ExpiryWarning>

/** The types of changes of other resources. */
const OtherChangeType = z.templateLiteral([
  z.enum(['created', 'modified', 'deleted']),
  z.enum([
    'Project',
    'Environment',
    'SdkKey',
    'UserSigningSecret',
    'Variable',
    'Audience',
    'CustomProperty',
    'Metric',
    'MetricAssociation',
    'Webhook',
    'ObservabilityIntegration',
    'IssueTracker',
    'IssueLink',
    'Override',
    'UserProfile',
    'ChangeRequest',
    'Organization',
    'User',
    'ApiClient',
    'SigningKey',
    'UserData',
    'Session',
    'Application',
    'ScimToken',
    'Group',
    'WorkloadTrust',
    'WorkloadToken',
    'SecondFactor',
    'RecoveryCodes'
  ])
])

const Contents = z.record(z.string(), Json).nullable()

/** One change of a resource. */
export const AuditLogChange = z
  .object({
    type: z.union([ChangeType, ExpiryWarning, OtherChangeType]),
    newContents: Contents.meta({
      description: 'The new values of the members that changed; null if the resource was removed.'
    }),
    previousContents: Contents.meta({
      description: 'The previous values of these members; null if the resource was added.'
    }),
    _environments: z.array(Id).exactOptional().meta({ description: 'Ids of the affected environments.' }),
    metadata: z.record(z.string(), Json).exactOptional()
  })
  .meta({ id: 'AuditLogChange', example: auditLogChange })
export type AuditLogChange = z.infer<typeof AuditLogChange>

/** Who made a change: a user, an API client, an assistant on behalf of a user, a CI job, or the server itself. */
export const Actor = z.enum(['person', 'client', 'assistant', 'workload', 'server']).meta({ id: 'Actor' })
export type Actor = z.infer<typeof Actor>

/** The longest name of an assistant, in characters. */
export const MAX_ASSISTANT_NAME_LENGTH = 100

/** The change request whose application made a change. */
export const AppliedChangeRequest = z
  .object({
    _id: Id,
    _feature: Id.exactOptional().meta({
      description:
        'The feature of the request. Absent from requests of a project, and from entries of earlier versions.'
    }),
    _createdBy: UserReference.meta({ description: 'The author.' }),
    assistant: z.string().max(MAX_ASSISTANT_NAME_LENGTH).exactOptional().meta({
      description: 'The program of the assistant that the author used, as declared by it.'
    }),
    clientId: z
      .string()
      .exactOptional()
      .meta({ description: 'The API client that is the author, or that the author used.' }),
    emergency: z.string().exactOptional().meta({
      description: 'The reason, if the request was applied in an emergency, without the required approvals.'
    }),
    reviewers: z.array(UserReference).meta({ description: 'The people who approved the applied content.' })
  })
  .meta({ id: 'AppliedChangeRequest' })
export type AppliedChangeRequest = z.infer<typeof AppliedChangeRequest>

/** All changes by one request. */
export const AuditLogEntry = z
  .object({
    _id: Id,
    date: DateTime,
    idp_user: UserReference,
    _project: Id.exactOptional(),
    _feature: Id.exactOptional(),
    actor: Actor.exactOptional(),
    clientId: z.string().exactOptional().meta({
      description: 'The API client that made the change, or that the user made it with.'
    }),
    source: ChangeSource.exactOptional().meta({ description: 'The kind of tool, as declared by the request.' }),
    assistant: z.string().max(MAX_ASSISTANT_NAME_LENGTH).exactOptional().meta({
      description: 'The name of the program in which the assistant runs. Declared by the request and not verified.'
    }),
    workload: Workload.exactOptional(),
    address: z.string().exactOptional().meta({
      description:
        'The network address of the caller. Absent from changes of the server itself, and for callers without `organization:write:settings`.'
    }),
    changeRequest: AppliedChangeRequest.exactOptional().meta({ description: 'The change request that was applied.' }),
    changes: z.array(AuditLogChange)
  })
  .meta({
    id: 'AuditLogEntry',
    example: {
      _id: ids.auditEntry,
      date: createdAt,
      idp_user: admin,
      _project: ids.project,
      _feature: ids.feature,
      actor: 'client',
      clientId: 'burgee-admin',
      source: 'api',
      changes: [auditLogChange]
    }
  })
export type AuditLogEntry = z.infer<typeof AuditLogEntry>

/** An audit entry with its hash and all members that the hash covers. */
export const ChainedAuditEntry = z
  .looseObject({
    _id: Id,
    createdAt: DateTime,
    position: z.int().exactOptional().meta({
      description: 'Position in the hash chain, from 1. Absent from entries that are older than the chain.'
    }),
    previousHash: z.string().exactOptional().meta({ description: 'The hash of the previous entry.' }),
    hash: z.string().exactOptional().meta({
      description: 'Hexadecimal SHA-256 of the entry without this member, as JSON with sorted members.'
    })
  })
  .meta({ id: 'ChainedAuditEntry', description: 'An audit entry with all stored members.' })
export type ChainedAuditEntry = z.infer<typeof ChainedAuditEntry>

/** The result of an audit log verification. */
export const AuditVerification = z
  .object({
    isIntact: z.boolean(),
    entries: z.int().meta({ description: 'Number of verified entries.' }),
    head: z.string().exactOptional().meta({
      description: 'The hash of the last entry. Store it elsewhere to detect later whether the log was rewritten.'
    }),
    broken: z
      .object({
        _id: z.string().exactOptional().meta({ description: 'Absent if the entry is missing or unreadable.' }),
        position: z.int().exactOptional(),
        date: z.string().exactOptional(),
        reason: z.string()
      })
      .exactOptional()
      .meta({ description: 'The first entry that was changed or removed.' }),
    uncounted: z.object({ bytes: z.int(), lines: z.int() }).exactOptional().meta({
      description:
        'Data in the file of the log beyond its recorded end: an incomplete commit, or the newest entries after an older `db.json` was put in place.'
    })
  })
  .meta({ id: 'AuditVerification', example: { isIntact: true, entries: 1042 } })
export type AuditVerification = z.infer<typeof AuditVerification>

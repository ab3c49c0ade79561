import { z } from 'zod'
import { auditLogChange } from './examples/checkout.ts'
import { admin, createdAt, ids } from './examples/shop.ts'
import { ChangeSource, DateTime, Id, UserReference } from './fields.ts'
import { Json } from './json.ts'

/** The kinds of change of a feature, which are also the events that webhooks are called for. */
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
    'modifiedSettings'
  ])
  .meta({ id: 'ChangeType' })
export type ChangeType = z.infer<typeof ChangeType>

/** The kinds of change of everything else. */
const OtherChangeType = z.templateLiteral([
  z.enum(['created', 'modified', 'deleted']),
  z.enum([
    'Project',
    'Environment',
    'SdkKey',
    'Variable',
    'Audience',
    'CustomProperty',
    'Metric',
    'MetricAssociation',
    'Webhook',
    'ObservabilityIntegration',
    'IssueTracker',
    'IssueLink',
    'ChangeRequest',
    'Organization',
    'User',
    'ApiClient',
    'SigningKey'
  ])
])

const Contents = z.record(z.string(), Json).nullable()

/** One thing that became different. */
export const AuditLogChange = z
  .object({
    type: z.union([ChangeType, OtherChangeType]),
    newContents: Contents.meta({ description: 'The members that changed, as they are now; null when it was removed.' }),
    previousContents: Contents.meta({ description: 'The same members as they were; null when it was added.' }),
    _environments: z.array(Id).exactOptional().meta({ description: 'Ids of the environments it is about.' }),
    metadata: z.record(z.string(), Json).exactOptional()
  })
  .meta({ id: 'AuditLogChange', example: auditLogChange })
export type AuditLogChange = z.infer<typeof AuditLogChange>

/** Who it was: a person by themselves, a program, an assistant for a person, or this server. */
export const Actor = z.enum(['person', 'client', 'assistant', 'server']).meta({ id: 'Actor' })
export type Actor = z.infer<typeof Actor>

/** How long what a program calls itself may be, in characters. */
export const MAX_ASSISTANT_NAME_LENGTH = 100

/** Everything that one request changed. */
export const AuditLogEntry = z
  .object({
    _id: Id,
    date: DateTime,
    idp_user: UserReference,
    _project: Id.exactOptional(),
    _feature: Id.exactOptional(),
    actor: Actor.exactOptional(),
    clientId: z.string().exactOptional().meta({
      description: 'The client that did it, or that the person did it with.'
    }),
    source: ChangeSource.exactOptional().meta({ description: 'The kind of tool, as far as it says so.' }),
    assistant: z.string().max(MAX_ASSISTANT_NAME_LENGTH).exactOptional().meta({
      description: 'What the program calls itself that the assistant runs in. It may say anything.'
    }),
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

/** An entry as the chain has it: everything that its hash is made of, and the hash. */
export const ChainedAuditEntry = z
  .looseObject({
    _id: Id,
    createdAt: DateTime,
    position: z.int().exactOptional().meta({
      description: 'Its place in the chain, from 1. Entries from before there was a chain have none.'
    }),
    previousHash: z.string().exactOptional().meta({ description: 'The hash of the entry before.' }),
    hash: z.string().exactOptional().meta({
      description: 'SHA-256, in hexadecimal, of the entry without this member, as JSON with its members in order.'
    })
  })
  .meta({ id: 'ChainedAuditEntry', description: 'An entry with all that is kept of it.' })
export type ChainedAuditEntry = z.infer<typeof ChainedAuditEntry>

/** What a check of the audit log found. */
export const AuditVerification = z
  .object({
    isIntact: z.boolean(),
    entries: z.int().meta({ description: 'How many entries were checked.' }),
    head: z.string().exactOptional().meta({
      description: 'The hash of the last entry: who keeps it elsewhere can tell later whether the log was written anew.'
    }),
    broken: z
      .object({
        _id: z.string().exactOptional().meta({ description: 'Absent when the entry is gone, or cannot be read.' }),
        position: z.int().exactOptional(),
        date: z.string().exactOptional(),
        reason: z.string()
      })
      .exactOptional()
      .meta({ description: 'The first entry that is not as it was written.' })
  })
  .meta({ id: 'AuditVerification', example: { isIntact: true, entries: 1042 } })
export type AuditVerification = z.infer<typeof AuditVerification>

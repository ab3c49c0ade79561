import { z } from 'zod'
import { change } from './examples/checkout.ts'
import { admin, beginning, ids } from './examples/shop.ts'
import { DateTime, Id, UserReference } from './fields.ts'
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
    'ChangeRequest'
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
  .meta({ id: 'AuditLogChange', example: change })
export type AuditLogChange = z.infer<typeof AuditLogChange>

/** Everything that one request changed. */
export const AuditLogEntry = z
  .object({
    _id: Id,
    date: DateTime,
    idp_user: UserReference,
    _project: Id.exactOptional(),
    _feature: Id.exactOptional(),
    changes: z.array(AuditLogChange)
  })
  .meta({
    id: 'AuditLogEntry',
    example: {
      _id: ids.auditEntry,
      date: beginning,
      idp_user: admin,
      _project: ids.project,
      _feature: ids.feature,
      changes: [change]
    }
  })
export type AuditLogEntry = z.infer<typeof AuditLogEntry>

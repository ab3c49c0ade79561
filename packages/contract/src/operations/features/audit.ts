import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { DateTime, Id } from '../../schema/common/fields.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import { EnvironmentReference, FeatureReference, ProjectReference } from '../../schema/common/references.ts'
import { Feature } from '../../schema/features/feature.ts'
import { KillFeature } from '../../schema/features/featureInput.ts'
import { AuditLogEntry } from '../../schema/organizations/audit.ts'
import { DryRun } from '../dryRun.ts'
import { accessWithBody, accessWithoutBody, withRevision } from '../operationAccess.ts'

const tag = 'Features'
const params = z.object({ project: ProjectReference, feature: FeatureReference })

/** Get the audit log of a feature. */
export const getFeatureAudit = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  tag,
  id: 'getFeatureAudit',
  summary: 'Get the audit log of a feature',
  description: 'One entry per request that changed the feature.',
  method: 'GET',
  path: '/v1/projects/{project}/features/{feature}/audit',
  params,
  query: Pagination.pick({ page: true, perPage: true, sortOrder: true }).extend({
    // Existing clients send values that are not part of the API.
    sortBy: z.string().optional().meta({ description: 'Ignored. Entries are sorted by date.' }),
    environment: EnvironmentReference.optional().meta({
      description: 'Entries about this environment. Its key or id.'
    }),
    idp_user: z.string().min(1).optional().meta({ description: 'Entries by this user or client.' }),
    startDate: DateTime.optional().meta({ description: 'Entries from this time on.' }),
    endDate: DateTime.optional().meta({ description: 'Entries up to and including this time.' })
  }),
  accessLog: 'auditRead',
  status: 200,
  response: z.array(AuditLogEntry),
  responseKind: 'list'
})

/** Revert a change of a feature. */
export const revertFeature = defineOperation({
  ...accessWithoutBody('feature:write', 404, 409, 412),
  ...withRevision,
  tag,
  id: 'revertFeature',
  summary: 'Revert a change of a feature',
  description:
    'Restores the state of the feature before this entry of its audit log. The reversion has an audit entry of its own.',
  method: 'POST',
  path: '/v1/projects/{project}/features/{feature}/audit/{entry}/revert',
  params: params.extend({ entry: Id }),
  query: DryRun,
  status: 200,
  response: Feature
})

/** Turn a feature off in all environments. */
export const killFeature = defineOperation({
  ...accessWithBody('feature:write', 404, 409, 412),
  ...withRevision,
  tag,
  id: 'killFeature',
  summary: 'Turn a feature off in all environments',
  description:
    'The kill switch. Targets are kept, so the feature can be turned on again. Needs no approval and works in every status of the feature. The audit entry records the kill (`killedFeature`) with its reason.',
  method: 'POST',
  path: '/v1/projects/{project}/features/{feature}/kill',
  params,
  body: KillFeature.optional(),
  status: 200,
  response: Feature
})

import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { AuditLogEntry } from '../schema/audit.ts'
import { Feature } from '../schema/feature.ts'
import { DateTime, Id, Reference } from '../schema/fields.ts'
import { Pagination } from '../schema/pagination.ts'
import { commandAccess, readAccess } from './operationAccess.ts'

const tag = 'Features'
const params = z.object({ project: Reference, feature: Reference })

/** What happened to a feature, and who did it. */
export const getFeatureAudit = defineOperation({
  ...readAccess('feature:read', 404),
  tag,
  id: 'getFeatureAudit',
  summary: 'Get the audit log of a feature',
  description: 'One entry for each request that changed it.',
  method: 'GET',
  path: '/v1/projects/{project}/features/{feature}/audit',
  params,
  query: Pagination.pick({ page: true, perPage: true, sortOrder: true }).extend({
    // Clients ask for orders of their own, which are no reason to refuse them.
    sortBy: z.string().optional().meta({ description: 'Whatever it says, entries are in order of their dates.' }),
    environment: Reference.optional().meta({ description: 'Keeps what is about this environment, by key or id.' }),
    idp_user: z.string().optional().meta({ description: 'Keeps what this user did.' }),
    startDate: DateTime.optional().meta({ description: 'Keeps what happened then or later.' }),
    endDate: DateTime.optional().meta({ description: 'Keeps what happened then or earlier.' })
  }),
  status: 200,
  response: z.array(AuditLogEntry),
  responseKind: 'list'
})

/** A feature as it was before something happened to it. */
export const revertFeature = defineOperation({
  ...commandAccess('feature:write', 404, 409, 412),
  tag,
  id: 'revertFeature',
  summary: 'Take a change of a feature back',
  description:
    'Beyond the specification: restores the feature as it was before this entry of its audit log. That is a change like any other, with an entry of its own.',
  method: 'POST',
  path: '/v1/projects/{project}/features/{feature}/audit/{entry}/revert',
  params: params.extend({ entry: Id }),
  status: 200,
  response: Feature
})

/** A feature that is switched off wherever it was on. */
export const killFeature = defineOperation({
  ...commandAccess('feature:write', 404, 409, 412),
  tag,
  id: 'killFeature',
  summary: 'Switch a feature off in every environment',
  description:
    'Beyond the specification: its targets stay as they are, and it can be switched on again. It waits for no approval, and works whatever the status of the feature is.',
  method: 'POST',
  path: '/v1/projects/{project}/features/{feature}/kill',
  params,
  status: 200,
  response: Feature
})

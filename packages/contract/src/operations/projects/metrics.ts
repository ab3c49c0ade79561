import { z } from 'zod'
import { defineOperation, sdkTypes } from '../../operation.ts'
import { DateTime } from '../../schema/common/fields.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import {
  AudienceReference,
  EnvironmentReference,
  FeatureReference,
  MetricReference,
  ProjectReference,
  VariationReference
} from '../../schema/common/references.ts'
import {
  CountsFrom,
  CreateMetric,
  Metric,
  MetricAssociation,
  MetricDimension,
  UpdateMetric
} from '../../schema/results/metric.ts'
import { MetricResult } from '../../schema/results/metricResult.ts'
import { accessWithBody, accessWithoutBody, ifMatch, newRevision, withRevision } from '../operationAccess.ts'

const tag = 'Metrics'
const inProject = z.object({ project: ProjectReference })
const params = z.object({ project: ProjectReference, key: MetricReference })

/** Create a metric. */
export const createMetric = defineOperation({
  ...accessWithBody('feature:write', 404, 409),
  ...withRevision,
  tag,
  id: 'createMetric',
  summary: 'Create a metric',
  method: 'POST',
  path: '/v1/projects/{project}/metrics',
  params: inProject,
  body: CreateMetric,
  status: 201,
  response: Metric
})

/** List metrics. */
export const listMetrics = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  tag,
  id: 'listMetrics',
  summary: 'List metrics',
  method: 'GET',
  path: '/v1/projects/{project}/metrics',
  params: inProject,
  query: Pagination.omit({ createdBy: true }).extend({ dimension: MetricDimension.optional() }),
  status: 200,
  response: z.array(Metric),
  responseKind: 'list'
})

/** Get a metric. */
export const getMetric = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  ...withRevision,
  tag,
  id: 'getMetric',
  summary: 'Get a metric',
  method: 'GET',
  path: '/v1/projects/{project}/metrics/{key}',
  params,
  status: 200,
  response: Metric
})

/** Update a metric. */
export const updateMetric = defineOperation({
  ...accessWithBody('feature:write', 404, 409, 412),
  ...newRevision,
  tag,
  id: 'updateMetric',
  summary: 'Update a metric',
  method: 'PATCH',
  path: '/v1/projects/{project}/metrics/{key}',
  params,
  body: UpdateMetric,
  status: 200,
  response: Metric
})

/** Delete a metric. */
export const deleteMetric = defineOperation({
  ...accessWithoutBody('feature:delete', 404, 412),
  ...ifMatch,
  tag,
  id: 'deleteMetric',
  summary: 'Delete a metric',
  method: 'DELETE',
  path: '/v1/projects/{project}/metrics/{key}',
  params,
  status: 200
})

const Selection = z.strictObject({
  feature: FeatureReference.meta({ example: 'checkout-button' }),
  environment: EnvironmentReference.optional().meta({
    description: 'Its key or id. Default: all environments, pooled.'
  }),
  startDate: DateTime,
  endDate: DateTime.meta({
    description: 'Exclusive; at most 400 days after `startDate`.',
    example: '2026-03-15T12:00:00.000Z'
  }),
  platform: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Only users who got a variation on this platform. `unknown`: without a platform.' }),
  sdkType: z
    .enum(sdkTypes)
    .optional()
    .meta({ description: 'Only users who got a variation from this type of SDK; `api`: from this server.' }),
  effect: z.coerce.number().positive().max(10).optional().meta({
    description: 'A relative difference: `power` says how many users it takes to find it. Default: 0.1, which is 10%.'
  }),
  audience: AudienceReference.optional().meta({
    description:
      'Key or id. Only users who were in this audience when they got a variation. Not for `COUNT_PER_VARIABLE_EVALUATION`.'
  })
})

/** Get the results of a metric for a feature. */
export const getMetricResults = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  tag,
  id: 'getMetricResults',
  summary: 'Get the results of a metric for a feature',
  method: 'GET',
  path: '/v1/projects/{project}/metrics/{key}/results',
  params,
  query: Selection,
  status: 200,
  response: MetricResult
})

/** Preview the results of a metric. */
export const testMetricResults = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  tag,
  id: 'testMetricResults',
  summary: 'Preview the results of a metric',
  description: 'The results that a metric would have, before it is created.',
  method: 'GET',
  path: '/v1/projects/{project}/test-metric-results',
  params: inProject,
  query: Selection.extend({
    ...Metric.pick({ event: true, dimension: true, optimize: true }).shape,
    countsFrom: CountsFrom.optional().meta({
      description: 'The time from which the events of a user count. Default: `firstExposure`.'
    }),
    control: VariationReference.meta({
      example: 'control',
      description: 'The variation that the others are compared with. Its key or id.'
    })
  }),
  status: 200,
  response: MetricResult
})

const pair = { metric: MetricReference, feature: FeatureReference } as const

/** List metric associations. */
export const listMetricAssociations = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  tag,
  id: 'listMetricAssociations',
  summary: 'List metric associations',
  method: 'GET',
  path: '/v1/projects/{project}/metric-associations',
  params: inProject,
  query: z.object(pair).partial(),
  status: 200,
  response: z.array(MetricAssociation)
})

/** Associate a metric with a feature. */
export const createMetricAssociation = defineOperation({
  ...accessWithBody('feature:write', 404, 409),
  tag,
  id: 'createMetricAssociation',
  summary: 'Associate a metric with a feature',
  method: 'POST',
  path: '/v1/projects/{project}/metric-associations',
  params: inProject,
  body: z.strictObject(pair).meta({
    id: 'CreateMetricAssociation',
    example: { metric: 'purchases', feature: 'new-checkout' }
  }),
  status: 201,
  response: MetricAssociation
})

/** Remove a metric from a feature. */
export const deleteMetricAssociation = defineOperation({
  ...accessWithoutBody('feature:delete', 404),
  tag,
  id: 'deleteMetricAssociation',
  summary: 'Remove a metric from a feature',
  method: 'DELETE',
  path: '/v1/projects/{project}/metric-associations',
  params: inProject,
  query: z.object(pair),
  status: 200
})

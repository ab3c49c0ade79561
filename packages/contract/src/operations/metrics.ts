import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { DateTime, Reference } from '../schema/fields.ts'
import { CreateMetric, Metric, MetricAssociation, MetricDimension, UpdateMetric } from '../schema/metric.ts'
import { MetricResult } from '../schema/metricResult.ts'
import { Pagination } from '../schema/pagination.ts'
import { commandAccess, readAccess, writeAccess } from './operationAccess.ts'

const tag = 'Metrics'
const inProject = z.object({ project: Reference })
const params = z.object({ project: Reference, key: Reference })

/** A new metric. */
export const createMetric = defineOperation({
  ...writeAccess('feature:write', 404, 409),
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

/** The metrics of a project. */
export const listMetrics = defineOperation({
  ...readAccess('feature:read', 404),
  tag,
  id: 'listMetrics',
  summary: 'List the metrics of a project',
  method: 'GET',
  path: '/v1/projects/{project}/metrics',
  params: inProject,
  query: Pagination.omit({ createdBy: true }).extend({ dimension: MetricDimension.optional() }),
  status: 200,
  response: z.array(Metric),
  responseKind: 'list'
})

/** One metric. */
export const getMetric = defineOperation({
  ...readAccess('feature:read', 404),
  tag,
  id: 'getMetric',
  summary: 'Get a metric',
  method: 'GET',
  path: '/v1/projects/{project}/metrics/{key}',
  params,
  status: 200,
  response: Metric
})

/** Changes of a metric. */
export const updateMetric = defineOperation({
  ...writeAccess('feature:write', 404, 409),
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

/** The end of a metric, with its associations. */
export const deleteMetric = defineOperation({
  ...commandAccess('feature:delete', 404),
  tag,
  id: 'deleteMetric',
  summary: 'Delete a metric and its associations',
  method: 'DELETE',
  path: '/v1/projects/{project}/metrics/{key}',
  params,
  status: 200
})

const Range = z.object({
  feature: Reference,
  environment: Reference.optional().meta({ description: 'Its key or its id. Default: all environments.' }),
  startDate: DateTime,
  endDate: DateTime.meta({ description: 'Up to, not including, this moment; at most 30 days after startDate.' })
})

/** How a feature fares by a metric. */
export const getMetricResults = defineOperation({
  ...readAccess('feature:read', 404, 429),
  tag,
  id: 'getMetricResults',
  summary: 'Get how the variations of a feature fare by a metric',
  method: 'GET',
  path: '/v1/projects/{project}/metrics/{key}/results',
  params,
  query: Range,
  status: 200,
  response: MetricResult
})

/** How a feature would fare by a metric that does not exist yet. */
export const testMetricResults = defineOperation({
  ...readAccess('feature:read', 404, 429),
  tag,
  id: 'testMetricResults',
  summary: 'Get how the variations of a feature would fare by a metric before it is created',
  method: 'GET',
  path: '/v1/projects/{project}/test-metric-results',
  params: inProject,
  query: Range.extend({
    ...Metric.pick({ event: true, dimension: true, optimize: true }).shape,
    control: Reference.meta({ description: 'Key or id of the variation that the others are compared with.' })
  }),
  status: 200,
  response: MetricResult
})

const pair = { metric: Reference, feature: Reference } as const

/** Which metrics go with which features. */
export const listMetricAssociations = defineOperation({
  ...readAccess('feature:read', 404),
  tag,
  id: 'listMetricAssociations',
  summary: 'List which metrics go with which features',
  method: 'GET',
  path: '/v1/projects/{project}/metric-associations',
  params: inProject,
  query: z.object(pair).partial(),
  status: 200,
  response: z.array(MetricAssociation)
})

/** A metric that goes with a feature from now on. */
export const createMetricAssociation = defineOperation({
  ...writeAccess('feature:write', 404, 409),
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

/** A metric that goes with a feature no longer. */
export const deleteMetricAssociation = defineOperation({
  ...commandAccess('feature:delete', 404),
  tag,
  id: 'deleteMetricAssociation',
  summary: 'Dissociate a metric from a feature',
  method: 'DELETE',
  path: '/v1/projects/{project}/metric-associations',
  params: inProject,
  query: z.object(pair),
  status: 200
})

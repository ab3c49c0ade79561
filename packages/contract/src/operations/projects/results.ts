import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { FeatureReference, ProjectReference, VariableReference } from '../../schema/common/references.ts'
import { EvaluationsQuery, FeatureEvaluations, ProjectEvaluations } from '../../schema/results/result.ts'
import { accessWithoutBody } from '../operationAccess.ts'

const tag = 'Results'

/** Count the evaluations of a feature. */
export const getFeatureTotalEvaluations = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  tag,
  id: 'getFeatureTotalEvaluations',
  summary: 'Count the evaluations of a feature',
  description:
    'Counts evaluations of single variables, by this server and as reported by SDKs. Requests for all variables, all features or a config do not count.',
  method: 'GET',
  path: '/v1/projects/{project}/features/{feature}/results/total-evaluations',
  aliases: [
    '/v1/projects/{project}/features/{feature}/results/evaluations',
    '/v1/projects/{project}/features/{feature}/results/summary'
  ],
  params: z.object({ project: ProjectReference, feature: FeatureReference }),
  query: EvaluationsQuery.extend({
    platform: z.string().min(1).optional().meta({
      description:
        'The platform of the user. `unknown`: users without one. `other`: all platforms after the first 20 of an hour.'
    }),
    variable: VariableReference.optional().meta({
      description: 'Its key or id. Default: all variables of the feature.'
    })
  }),
  status: 200,
  response: FeatureEvaluations
})

/** Count the evaluated users of a project. */
export const getProjectEvaluations = defineOperation({
  ...accessWithoutBody('project:read', 404),
  tag,
  id: 'getProjectEvaluations',
  summary: 'Count the evaluated users of a project',
  description:
    'Counts distinct users per period: exactly for small numbers, estimated for large ones (HyperLogLog). Evaluations by server SDKs are not included, since they are reported without users.',
  method: 'GET',
  path: '/v1/projects/{project}/results/evaluations',
  params: z.object({ project: ProjectReference }),
  query: EvaluationsQuery,
  status: 200,
  response: ProjectEvaluations
})

/** Count the evaluations of a project. */
export const getProjectTotalEvaluations = defineOperation({
  ...accessWithoutBody('project:read', 404),
  tag,
  id: 'getProjectTotalEvaluations',
  summary: 'Count the evaluations of a project',
  description: 'Includes evaluations of archived and deleted features, and of variables that do not exist.',
  method: 'GET',
  path: '/v1/projects/{project}/results/total-evaluations',
  params: z.object({ project: ProjectReference }),
  query: EvaluationsQuery,
  status: 200,
  response: ProjectEvaluations
})

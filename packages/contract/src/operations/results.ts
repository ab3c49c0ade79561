import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { Reference } from '../schema/fields.ts'
import { EvaluationsQuery, FeatureEvaluations, ProjectEvaluations } from '../schema/result.ts'
import { readAccess } from './operationAccess.ts'

const tag = 'Results'

/** How often variables of a feature were evaluated. */
export const getFeatureTotalEvaluations = defineOperation({
  ...readAccess('feature:read', 404),
  tag,
  id: 'getFeatureTotalEvaluations',
  summary: 'Count the evaluations of the variables of a feature',
  description:
    'Those of single variables, by this server and by the applications that report theirs. Requests for all variables, all features or a whole configuration are not evaluations.',
  method: 'GET',
  path: '/v1/projects/{project}/features/{feature}/results/total-evaluations',
  aliases: [
    '/v1/projects/{project}/features/{feature}/results/evaluations',
    '/v1/projects/{project}/features/{feature}/results/summary'
  ],
  params: z.object({ project: Reference, feature: Reference }),
  query: EvaluationsQuery.extend({
    platform: z.string().optional().meta({
      description:
        'As users name it. `unknown` stands for those who do not, `other` for the 21st and further ones of an hour.'
    }),
    variable: Reference.optional().meta({ description: 'Its key or its id. Default: all of the feature.' })
  }),
  status: 200,
  response: FeatureEvaluations
})

/** How many users variables of a project were evaluated for. */
export const getProjectEvaluations = defineOperation({
  ...readAccess('project:read', 404),
  tag,
  id: 'getProjectEvaluations',
  summary: 'Count the users for whom variables of a project were evaluated',
  description:
    'A user counts once in each period; exactly where they are few, about so where they are many. Server SDKs report no users, only how often they evaluated.',
  method: 'GET',
  path: '/v1/projects/{project}/results/evaluations',
  params: z.object({ project: Reference }),
  query: EvaluationsQuery,
  status: 200,
  response: ProjectEvaluations
})

/** How often variables of a project were evaluated. */
export const getProjectTotalEvaluations = defineOperation({
  ...readAccess('project:read', 404),
  tag,
  id: 'getProjectTotalEvaluations',
  summary: 'Count the evaluations of the variables of a project',
  description:
    'All of its features together, also of those that are archived or gone, and those of variables that do not exist.',
  method: 'GET',
  path: '/v1/projects/{project}/results/total-evaluations',
  params: z.object({ project: Reference }),
  query: EvaluationsQuery,
  status: 200,
  response: ProjectEvaluations
})

import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { FeatureConfiguration, UpdateFeatureConfiguration } from '../schema/featureConfiguration.ts'
import { Reference } from '../schema/fields.ts'
import { readAccess, writeAccess } from './operationAccess.ts'

const tag = 'Feature configurations'
const params = z.object({ project: Reference, feature: Reference })

/** How a feature behaves in each environment. */
export const listFeatureConfigurations = defineOperation({
  ...readAccess('feature:read', 404),
  tag,
  id: 'listFeatureConfigurations',
  summary: 'List the configurations of a feature',
  method: 'GET',
  path: '/v1/projects/{project}/features/{feature}/configurations',
  params,
  query: z.object({
    environment: Reference.optional().meta({
      description: 'Keeps that of one environment, by key or id. Default: one for each environment.'
    })
  }),
  status: 200,
  response: z.array(FeatureConfiguration)
})

/** Changes of how a feature behaves in one environment. */
export const updateFeatureConfiguration = defineOperation({
  ...writeAccess('feature:write', 404, 409, 412),
  tag,
  id: 'updateFeatureConfiguration',
  summary: 'Update the configuration of a feature in one environment',
  description:
    'Answers 412 to the status active without targets, and when targets of a complete feature change. An empty list of targets alone leaves the status as it is: nobody is served.',
  method: 'PATCH',
  path: '/v1/projects/{project}/features/{feature}/configurations',
  params,
  query: z.object({ environment: Reference }),
  body: UpdateFeatureConfiguration,
  status: 200,
  response: FeatureConfiguration
})

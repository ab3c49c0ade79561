import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { EnvironmentReference, FeatureReference, ProjectReference } from '../../schema/common/references.ts'
import { FeatureConfiguration, UpdateFeatureConfiguration } from '../../schema/features/featureConfiguration.ts'
import { accessWithBody, accessWithoutBody, newRevision, withRevision } from '../operationAccess.ts'

const tag = 'Feature configurations'
const params = z.object({ project: ProjectReference, feature: FeatureReference })

/** List the configurations of a feature. */
export const listFeatureConfigurations = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  ...withRevision,
  tag,
  id: 'listFeatureConfigurations',
  summary: 'List the configurations of a feature',
  method: 'GET',
  path: '/v1/projects/{project}/features/{feature}/configurations',
  params,
  query: z.object({
    environment: EnvironmentReference.optional().meta({
      description: 'The configuration in this environment only. Its key or id.'
    })
  }),
  status: 200,
  response: z.array(FeatureConfiguration)
})

/** Update the configuration of a feature in one environment. */
export const updateFeatureConfiguration = defineOperation({
  ...accessWithBody('feature:write', 404, 409, 412),
  ...newRevision,
  tag,
  id: 'updateFeatureConfiguration',
  summary: 'Update the configuration of a feature in one environment',
  description:
    'Returns 412 if the status becomes `active` without targets, or if targets of a complete feature change. An empty list of targets alone keeps the status; the feature is then served to no one.',
  method: 'PATCH',
  path: '/v1/projects/{project}/features/{feature}/configurations',
  params,
  query: z.object({ environment: EnvironmentReference }),
  body: UpdateFeatureConfiguration,
  status: 200,
  response: FeatureConfiguration
})

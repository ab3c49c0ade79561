import { operations } from '@burgee/contract'
import { FeatureEvaluations, ProjectEvaluations } from '@burgee/contract/schemas'
import { analyticsPage, featurePage } from '../api/dashboardPages.ts'
import { tool } from '../tool.ts'
import { parameters, projectKey } from './parameters.ts'

const { feature } = operations.getFeatureTotalEvaluations.params.shape
const { shape } = operations.getFeatureTotalEvaluations.query
const { platform, variable, environment, period, sdkType } = shape
// Shorter than the descriptions of the API, since every assistant reads the list of tools.
const startDate = shape.startDate.meta({
  description: 'Unix ms. Default: 24 hours, 30 days or 12 months before endDate.'
})
const endDate = shape.endDate.meta({ description: 'Unix ms. Default: now.' })
const where = {
  environment: environment.meta({ description: 'Key. Default: all.' }),
  period,
  sdkType: sdkType.meta({ description: '`api`: evaluated by this server.' })
}

export const getFeatureTotalEvaluations = tool({
  name: 'get_feature_total_evaluations',
  title: 'Get total evaluations of a feature',
  category: 'results',
  description: 'How often each variation was served: whether, where and by which SDKs a feature is used.',
  access: 'reads',
  permissions: ['feature:read'],
  input: parameters({
    featureKey: feature,
    startDate,
    endDate,
    platform: platform.meta({ description: 'As reported by SDKs, for example iOS.' }),
    variable: variable.meta({ description: 'Key. Default: all of the feature.' }),
    ...where,
    ...projectKey
  }),
  output: FeatureEvaluations,
  run: async ({ projectKey: _, featureKey, ...query }, { client, project }) => {
    const params = { project: project(), feature: featureKey }
    const result = await client.getFeatureTotalEvaluations({ params, query })
    return { result, dashboardPage: featurePage(project(), featureKey, 'analytics') }
  }
})

export const getProjectTotalEvaluations = tool({
  name: 'get_project_total_evaluations',
  title: 'Get total evaluations of a project',
  category: 'results',
  description: 'How often variables were evaluated.',
  access: 'reads',
  permissions: ['project:read'],
  input: parameters({ startDate, endDate, ...where, ...projectKey }),
  output: ProjectEvaluations,
  run: async ({ projectKey: _, ...query }, { client, project }) => {
    const result = await client.getProjectTotalEvaluations({ params: { project: project() }, query })
    return { result, dashboardPage: analyticsPage(project()) }
  }
})

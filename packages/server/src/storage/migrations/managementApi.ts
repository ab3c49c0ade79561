import type { DocumentData, DocumentItem, Migration } from './migration.ts'

/**
 * Version 2: the management API. Resources get its members, with the defaults of new resources; the configurations of a
 * complete feature get a target for all users.
 */
export const managementApi: Migration = (data) => {
  const {
    projects = [],
    features = [],
    configurations = [],
    variables = [],
    audiences = [],
    ...rest
  } = data as DocumentData
  const complete = new Map(
    features.filter(({ status }) => status === 'complete').map((feature) => [feature._id, feature])
  )
  return {
    ...rest,
    ...Object.fromEntries(added.map((collection) => [collection, []])),
    projects: projects.map((project) => ({ ...project, settings: settingsOf(project) })),
    features: features.map(toFeature),
    configurations: configurations.map((configuration) => {
      const feature = complete.get(configuration._feature)
      return feature ? { ...configuration, targets: [allUsersTarget(feature, configuration)] } : configuration
    }),
    variables: variables.map((variable) => ({ ...variable, source: 'api' })),
    audiences: audiences.map((audience) => ({ ...audience, source: 'api' }))
  }
}

const added = [
  'organizations',
  'clients',
  'signingKeys',
  'customProperties',
  'metrics',
  'metricAssociations',
  'profiles',
  'overrides',
  'webhooks',
  'observabilityEnvironments',
  'issueTrackers',
  'issueLinks',
  'changeRequests'
]

function settingsOf({ settings }: DocumentItem): object {
  const off = { enabled: false }
  const on = { enabled: true }
  return {
    lifeCycle: { disableCodeRefChecks: false },
    obfuscation: { enabled: false, required: false },
    observability: { enabled: false, environmentMap: {} },
    featureApprovalWorkflow: { enabled: false, allowPublisherBypass: false, defaultReviewers: [] },
    staleness: {
      ...off,
      released: on,
      unmodifiedLong: on,
      unmodifiedShort: on,
      unused: on,
      email: { ...off, frequency: 'weekly', users: [] }
    },
    // An object since version 1.
    ...(settings as object)
  }
}

interface Variation {
  readonly _id: string
  readonly key: string
}

function toFeature(feature: DocumentItem): DocumentItem {
  const [first] = feature.variations as readonly Variation[]
  const summary = { maintainers: [], links: [], markdown: '' }
  return { ...feature, source: 'api', controlVariation: first?.key ?? '', summary }
}

function allUsersTarget(feature: DocumentItem, configuration: DocumentItem): object {
  const variations = feature.variations as readonly Variation[]
  const variation = variations.find(({ key }) => key === feature.staticVariation)
  return {
    _id: configuration._id,
    name: 'All Users',
    audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
    distribution: variation ? [{ _variation: variation._id, percentage: 1 }] : []
  }
}

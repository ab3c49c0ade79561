/** The ids in all examples, which describe one web shop. */
export const ids = {
  project: '65f0c0ffee01234567890001',
  production: '65f0c0ffee01234567890002',
  feature: '65f0c0ffee01234567890003',
  variable: '65f0c0ffee01234567890004',
  variationOn: '65f0c0ffee01234567890005',
  variationOff: '65f0c0ffee01234567890006',
  target: '65f0c0ffee01234567890007',
  audience: '65f0c0ffee01234567890008',
  customProperty: '65f0c0ffee01234567890009',
  metric: '65f0c0ffee0123456789000a',
  webhook: '65f0c0ffee0123456789000b',
  auditEntry: '65f0c0ffee0123456789000c',
  changeRequest: '65f0c0ffee0123456789000d',
  userProfile: '65f0c0ffee0123456789000e',
  client: '65f0c0ffee0123456789000f',
  user: '65f0c0ffee01234567890010',
  management: '65f0c0ffee01234567890011'
} as const

/** The creator of the project. */
export const admin = 'burgee-admin@clients'

/** The reviewer of change requests. */
export const reviewer = 'google-oauth2|104'

/** The creation time of all resources. */
export const createdAt = '2026-03-01T12:00:00.000Z'

/** The timestamps of resources without later changes. */
export const timestamps = { createdAt, updatedAt: createdAt } as const

/** The project. */
export const project = {
  _id: ids.project,
  ...timestamps,
  _organization: 'org_burgee',
  _createdBy: admin,
  name: 'Web shop',
  key: 'shop',
  color: '#1d4ed8',
  settings: {
    edgeDB: { enabled: true },
    optIn: { enabled: true, title: 'Early access' },
    sdkTypeVisibility: { enabledInFeatureSettings: false },
    lifeCycle: { disableCodeRefChecks: false },
    obfuscation: { enabled: false, required: false },
    trustClientWrites: false,
    disablePassthroughRollouts: false,
    observability: { enabled: false, environmentMap: {} },
    featureApprovalWorkflow: { enabled: true, allowPublisherBypass: true, defaultReviewers: [reviewer] },
    overrides: { protectedPermission: 'publish' },
    staleness: {
      enabled: true,
      released: { enabled: true },
      unmodifiedLong: { enabled: true },
      unmodifiedShort: { enabled: true },
      unused: { enabled: true },
      email: { enabled: true, frequency: 'weekly', users: ['ada@example.com'] }
    }
  },
  hasIssueTrackerIntegration: true,
  issueTrackerBaseUrl: 'https://issues.example.com',
  hasReceivedCodeUsages: false,
  hasUserConfigFetch: true,
  readonly: false
} as const

/** The project, as SDKs receive it. */
export const sdkProject = {
  _id: ids.project,
  key: project.key,
  a0_organization: project._organization,
  settings: {
    edgeDB: project.settings.edgeDB,
    optIn: project.settings.optIn,
    obfuscation: project.settings.obfuscation,
    disablePassthroughRollouts: project.settings.disablePassthroughRollouts
  }
} as const

/** The SDK keys of the production environment. */
export const sdkKeys = { mobile: [sdkKey('mobile')], client: [sdkKey('client')], server: [sdkKey('server')] } as const

function sdkKey(type: string) {
  return { key: `${type}-not-a-real-key`, createdAt, compromised: false, compromised_url: '' }
}

/** The filters of an audience of employees. */
export const employeesAudience = {
  operator: 'or',
  filters: [{ type: 'user', subType: 'email', comparator: 'endWith', values: ['@example.com'] }]
} as const

/** The custom property. */
export const planProperty = {
  name: 'Plan',
  key: 'plan',
  propertyKey: 'plan',
  type: 'String',
  schema: {
    schemaType: 'enum',
    required: false,
    enumSchema: { allowedValues: [{ label: 'Professional', value: 'pro' }], allowAdditionalValues: true }
  }
} as const

/** The fields of the metric that requests set. */
export const purchaseMetricFields = {
  name: 'Purchases',
  key: 'purchases',
  event: 'purchase',
  dimension: 'COUNT_PER_UNIQUE_USER',
  optimize: 'increase'
} as const

/** The metric. */
export const purchaseMetric = {
  _id: ids.metric,
  ...timestamps,
  _project: ids.project,
  ...purchaseMetricFields,
  countsFrom: 'firstExposure',
  source: 'api'
} as const

/** The fields of the webhook that requests set. */
export const deployWebhookFields = {
  name: 'Deploy log',
  url: 'https://example.com/hooks/features',
  events: ['enabledEnvironment']
} as const

/** The observability integration. */
export const observabilityIntegration = {
  observabilityEnvironmentId: 'abc12345',
  environmentUrl: 'https://abc12345.observability.example.com'
} as const

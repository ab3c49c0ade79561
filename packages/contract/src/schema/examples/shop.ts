/** Ids of the web shop that all examples tell of: a thing has the same one wherever it comes up. */
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
  user: '65f0c0ffee01234567890010'
} as const

/** Who set the shop up. */
export const admin = 'burgee-admin@clients'

/** Who reviews what others change in it. */
export const reviewer = 'google-oauth2|104'

/** When it all began. */
export const createdAt = '2026-03-01T12:00:00.000Z'

/** The stamps of what has not changed since. */
export const timestamps = { createdAt, updatedAt: createdAt } as const

/** The shop. */
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
    disablePassthroughRollouts: false,
    observability: { enabled: false, environmentMap: {} },
    featureApprovalWorkflow: { enabled: true, allowPublisherBypass: true, defaultReviewers: [reviewer] },
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

/** The shop as SDKs know it. */
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

/** The SDK keys of its production. */
export const sdkKeys = { mobile: [sdkKey('mobile')], client: [sdkKey('client')], server: [sdkKey('server')] } as const

function sdkKey(type: string) {
  return { key: `${type}-not-a-real-key`, createdAt, compromised: false, compromised_url: '' }
}

/** Who works there. */
export const employeesAudience = {
  operator: 'or',
  filters: [{ type: 'user', subType: 'email', comparator: 'endWith', values: ['@example.com'] }]
} as const

/** What it knows about its customers. */
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

/** What it counts. */
export const purchaseMetricFields = {
  name: 'Purchases',
  key: 'purchases',
  event: 'purchase',
  dimension: 'COUNT_PER_UNIQUE_USER',
  optimize: 'increase'
} as const

/** The metric that it makes of that. */
export const purchaseMetric = {
  _id: ids.metric,
  ...timestamps,
  _project: ids.project,
  ...purchaseMetricFields,
  source: 'api'
} as const

/** Where its changes are announced. */
export const deployWebhookFields = {
  name: 'Deploy log',
  url: 'https://example.com/hooks/features',
  events: ['enabledEnvironment']
} as const

/** Where it is observed. */
export const observabilityIntegration = {
  observabilityEnvironmentId: 'abc12345',
  environmentUrl: 'https://abc12345.observability.example.com'
} as const

// Long because it is a list: one entry for each tool.

/** The expected definition of a tool (docs/reference/tools.md). */
export interface Expected {
  readonly title: string
  readonly hints: Hints
  /** Names of required and optional parameters, in the order in which they are listed. */
  readonly required: readonly string[]
  readonly optional: readonly string[]
  /** Whether a confirmation is required: always, or if the caller has overrides. */
  readonly isConfirmed?: true | 'with overrides'
}

type Hints = readonly [isReadOnly: boolean, isDestructive: boolean, isIdempotent: boolean, isOpenWorld: boolean]

const reads: Hints = [true, false, true, false]
const remembers: Hints = [false, false, true, false]
const adds: Hints = [false, false, false, false]
const replaces: Hints = [false, true, true, false]
const removes: Hints = [false, true, false, false]

const lists = ['search', 'page', 'perPage', 'sortBy', 'sortOrder']

/** Every tool, in the order in which clients list them. Written out, and not derived from the product. */
export const toolTable: Readonly<Record<string, Expected>> = {
  select_project: {
    title: 'Select project',
    hints: remembers,
    required: [],
    optional: ['projectKey', 'includeServerKeys']
  },
  install_service_sdk: { title: 'Install an SDK', hints: reads, required: ['guide'], optional: [] },
  get_current_project: {
    title: 'Get current project',
    hints: reads,
    required: [],
    optional: ['projectKey']
  },
  list_features: {
    title: 'List feature flags',
    hints: reads,
    required: [],
    optional: [...lists, 'staleness', 'createdBy', 'type', 'status', 'projectKey']
  },
  get_feature: { title: 'Get a feature flag', hints: reads, required: ['key'], optional: ['projectKey'] },
  create_feature: {
    title: 'Create a feature flag',
    hints: adds,
    required: ['key', 'name'],
    optional: [
      'description',
      'type',
      'tags',
      'variations',
      'configurations',
      'sdkVisibility',
      'variables',
      'controlVariation',
      'settings',
      'projectKey'
    ],
    isConfirmed: true
  },
  update_feature: {
    title: 'Update a feature flag',
    hints: replaces,
    required: ['key'],
    optional: [
      'name',
      'description',
      'type',
      'tags',
      'variations',
      'variables',
      'settings',
      'sdkVisibility',
      'controlVariation',
      'configurations',
      'summary',
      'projectKey'
    ],
    isConfirmed: true
  },
  update_feature_status: {
    title: 'Update the status of a feature flag',
    hints: replaces,
    required: ['key', 'status'],
    optional: ['staticVariation', 'projectKey'],
    isConfirmed: true
  },
  delete_feature: {
    title: 'Delete a feature flag',
    hints: removes,
    required: ['key'],
    optional: ['projectKey'],
    isConfirmed: true
  },
  get_feature_audit_log_history: {
    title: 'Get the audit log of a feature',
    hints: reads,
    required: ['feature_key'],
    optional: [
      'page',
      'perPage',
      'sortBy',
      'sortOrder',
      'startDate',
      'endDate',
      'environment',
      'user',
      'action',
      'projectKey'
    ]
  },
  cleanup_feature: { title: 'Clean up a feature flag', hints: reads, required: ['featureKey'], optional: [] },
  get_feature_total_evaluations: {
    title: 'Get total evaluations of a feature',
    hints: reads,
    required: ['featureKey'],
    optional: ['startDate', 'endDate', 'platform', 'variable', 'environment', 'period', 'sdkType', 'projectKey']
  },
  get_project_total_evaluations: {
    title: 'Get total evaluations of a project',
    hints: reads,
    required: [],
    optional: ['startDate', 'endDate', 'environment', 'period', 'sdkType', 'projectKey']
  },
  get_self_targeting_identity: {
    title: 'Get self-targeting identity',
    hints: reads,
    required: [],
    optional: ['projectKey']
  },
  update_self_targeting_identity: {
    title: 'Update self-targeting identity',
    hints: replaces,
    required: ['svc_user_id'],
    optional: ['projectKey'],
    isConfirmed: 'with overrides'
  },
  list_self_targeting_overrides: {
    title: 'List self-targeting overrides',
    hints: reads,
    required: [],
    optional: ['projectKey']
  },
  set_self_targeting_override: {
    title: 'Set self-targeting override',
    hints: replaces,
    required: ['feature_key', 'environment_key', 'variation_key'],
    optional: ['projectKey'],
    isConfirmed: true
  },
  clear_feature_self_targeting_overrides: {
    title: 'Clear self-targeting overrides of a feature',
    hints: replaces,
    required: ['feature_key', 'environment_key'],
    optional: ['projectKey'],
    isConfirmed: true
  },
  list_variables: {
    title: 'List variables',
    hints: reads,
    required: [],
    optional: [...lists, 'feature', 'type', 'status', 'projectKey']
  },
  create_variable: {
    title: 'Create a variable',
    hints: adds,
    required: ['key', 'type'],
    optional: [
      'name',
      'description',
      'defaultValue',
      '_feature',
      'validationSchema',
      'persistent',
      'tags',
      'projectKey'
    ],
    isConfirmed: true
  },
  update_variable: {
    title: 'Update a variable',
    hints: replaces,
    required: ['key'],
    optional: ['name', 'description', 'type', 'validationSchema', 'persistent', 'tags', 'projectKey'],
    isConfirmed: true
  },
  delete_variable: {
    title: 'Delete a variable',
    hints: removes,
    required: ['key'],
    optional: ['projectKey'],
    isConfirmed: true
  }
}

/** The ids of the guides. */
export const guideTable = [
  'android',
  'android-openfeature',
  'angular',
  'dotnet',
  'dotnet-openfeature',
  'flutter',
  'go',
  'go-openfeature',
  'ios',
  'ios-openfeature',
  'java',
  'java-openfeature',
  'javascript',
  'javascript-openfeature',
  'nestjs',
  'nestjs-openfeature',
  'nextjs',
  'nodejs',
  'nodejs-openfeature',
  'php',
  'php-openfeature',
  'python',
  'python-openfeature',
  'react',
  'react-native',
  'react-openfeature',
  'roku',
  'ruby',
  'ruby-openfeature'
] as const

/** The arguments of a call that determine a page of the dashboard. */
interface Given {
  readonly projectKey?: string
  readonly key?: string
  readonly feature_key?: string
  readonly featureKey?: string
}

const project = 'p/books'
const features = `${project}/features`
const variables = () => `${project}/variables`
const overrides = () => 'settings/profile-overrides'

/** The page of the dashboard for the result of each tool, below the pages of the organization. */
export const pageTable: Readonly<Record<string, (given: Given) => string>> = {
  select_project: ({ projectKey }) => (projectKey ? project : 'settings/projects'),
  get_current_project: () => project,
  list_features: () => features,
  get_feature: ({ key }) => `${features}/${key}/overview`,
  create_feature: ({ key }) => `${features}/${key}/overview`,
  update_feature: ({ key }) => `${features}/${key}/manage-feature`,
  update_feature_status: ({ key }) => `${features}/${key}/overview`,
  delete_feature: () => features,
  get_feature_audit_log_history: ({ feature_key }) => `${features}/${feature_key}/audit-log`,
  get_feature_total_evaluations: ({ featureKey }) => `${features}/${featureKey}/analytics`,
  get_project_total_evaluations: () => `${project}/analytics`,
  get_self_targeting_identity: overrides,
  update_self_targeting_identity: overrides,
  list_self_targeting_overrides: overrides,
  set_self_targeting_override: overrides,
  clear_feature_self_targeting_overrides: overrides,
  list_variables: variables,
  create_variable: variables,
  update_variable: variables,
  delete_variable: variables
}

/** Invalid arguments of a tool, with the error: the parameter and the expected value. */
export interface Refused {
  readonly tool: string
  readonly given: object
  readonly says: string
}

const long = (length: number) => 'x'.repeat(length)
const create = { key: 'a', name: 'A' }
const override = { feature_key: 'a', environment_key: 'a', variation_key: 'a' }

/** The limits, patterns and choices of docs/reference/tools.md, each violated once. */
export const refused: readonly Refused[] = [
  ...['list_features', 'list_variables'].flatMap((tool) => [
    { tool, given: { search: 'ab' }, says: 'search should have at least 3 characters, got "ab"' },
    { tool, given: { page: 0 }, says: 'page should be at least 1, got 0' },
    { tool, given: { page: 1.5 }, says: 'page should be a whole number, got 1.5' },
    { tool, given: { perPage: 0 }, says: 'perPage should be at least 1, got 0' },
    { tool, given: { perPage: 1001 }, says: 'perPage should be at most 1000, got 1001' },
    {
      tool,
      given: { sortBy: 'size' },
      says: 'sortBy should be one of createdAt, updatedAt, name, key, createdBy, propertyKey, got "size"'
    },
    { tool, given: { sortOrder: 'up' }, says: 'sortOrder should be one of asc, desc, got "up"' },
    { tool, given: { project: 'books' }, says: 'property project should not exist' },
    { tool, given: { serch: 'abc' }, says: 'property serch should not exist (did you mean "search"?)' }
  ]),
  {
    tool: 'list_features',
    given: { type: 'flag' },
    says: 'type should be one of release, experiment, permission, ops, got "flag"'
  },
  {
    tool: 'list_features',
    given: { status: 'done' },
    says: 'status should be one of active, complete, archived, got "done"'
  },
  {
    tool: 'list_features',
    given: { staleness: 'old' },
    says: 'staleness should be one of all, unused, released, unmodified, notStale, got "old"'
  },
  {
    tool: 'list_variables',
    given: { type: 'Text' },
    says: 'type should be one of String, Boolean, Number, JSON, got "Text"'
  },
  {
    tool: 'list_variables',
    given: { status: 'complete' },
    says: 'status should be one of active, archived, got "complete"'
  },
  {
    tool: 'create_feature',
    given: {},
    says: 'key should be a string, got nothing; name should be a string, got nothing'
  },
  {
    tool: 'create_feature',
    given: { ...create, key: 'New Checkout' },
    says: 'key should have only a–z, 0–9, "-", "_" and ".", got "New Checkout"'
  },
  { tool: 'create_feature', given: { ...create, name: long(101) }, says: 'name should have at most 100 characters' },
  {
    tool: 'create_feature',
    given: { ...create, description: long(1001) },
    says: 'description should have at most 1000 characters'
  },
  {
    tool: 'create_feature',
    given: { ...create, type: 'flag' },
    says: 'type should be one of release, experiment, permission, ops'
  },
  {
    tool: 'create_feature',
    given: { ...create, sdkVisibility: { web: true } },
    says: 'property sdkVisibility.web should not exist'
  },
  {
    tool: 'create_feature',
    given: { ...create, configurations: { production: { status: 'on' } } },
    says: 'configurations.production.status should be one of active, inactive, got "on"'
  },
  { tool: 'update_feature', given: { name: 'A' }, says: 'key should be a string, got nothing' },
  { tool: 'update_feature', given: { key: 'a', name: long(101) }, says: 'name should have at most 100 characters' },
  {
    tool: 'update_feature',
    given: { key: 'a', description: long(1001) },
    says: 'description should have at most 1000 characters'
  },
  { tool: 'update_feature', given: { key: 'a', staleness: {} }, says: 'property staleness should not exist' },
  {
    tool: 'update_feature_status',
    given: { key: 'a' },
    says: 'status should be one of active, complete, archived, got nothing'
  },
  { tool: 'delete_feature', given: {}, says: 'key should be a string, got nothing' },
  { tool: 'cleanup_feature', given: { key: 'a' }, says: 'featureKey should be a string, got nothing' },
  {
    tool: 'cleanup_feature',
    given: { featureKey: 'a', projectKey: 'books' },
    says: 'property projectKey should not exist'
  },
  {
    tool: 'install_service_sdk',
    given: { guide: 'cobol' },
    says: 'guide should be one of android, android-openfeature,'
  },
  {
    tool: 'get_feature_audit_log_history',
    given: { feature_key: 'a', perPage: 1001 },
    says: 'perPage should be at most 1000, got 1001'
  },
  {
    tool: 'get_feature_audit_log_history',
    given: { feature_key: 'a', startDate: 'monday' },
    says: 'startDate must be a date as in 2026-03-01, or a date-time as in 2026-03-01T12:00:00.000Z, got "monday"'
  },
  {
    tool: 'get_feature_audit_log_history',
    given: { feature_key: 'a', action: 'moved' },
    says: 'action should be one of created, modified, deleted, got "moved"'
  },
  {
    tool: 'get_feature_audit_log_history',
    given: { feature_key: 'a', sortBy: 'name' },
    says: 'sortBy should be one of createdAt, updatedAt, action, user, got "name"'
  },
  {
    tool: 'get_feature_total_evaluations',
    given: { featureKey: 'a', period: 'week' },
    says: 'period should be one of day, hour, month, got "week"'
  },
  {
    tool: 'get_feature_total_evaluations',
    given: { featureKey: 'a', startDate: 'monday' },
    says: 'startDate should be a number of milliseconds since 1970'
  },
  {
    tool: 'get_project_total_evaluations',
    given: { sdkType: 'web' },
    says: 'sdkType should be one of client, server, mobile, api, got "web"'
  },
  {
    tool: 'get_project_total_evaluations',
    given: { endDate: -1e15 },
    says: 'endDate should be in the years 1000 to 9999 of UTC'
  },
  { tool: 'update_self_targeting_identity', given: {}, says: 'svc_user_id should be a string, got nothing' },
  {
    tool: 'update_self_targeting_identity',
    given: { svc_user_id: long(201) },
    says: 'svc_user_id should have at most 200 characters'
  },
  ...Object.keys(override).map((name) => ({
    tool: 'set_self_targeting_override',
    given: { ...override, [name]: undefined },
    says: `${name} should be a string, got nothing`
  })),
  {
    tool: 'clear_feature_self_targeting_overrides',
    given: { feature_key: 'a' },
    says: 'environment_key should be a string, got nothing'
  },
  { tool: 'create_variable', given: { key: 'A', type: 'Text' }, says: 'key should have only a–z' },
  {
    tool: 'create_variable',
    given: { key: 'a', type: 'Text' },
    says: 'type should be one of String, Boolean, Number, JSON, got "Text"'
  },
  {
    tool: 'create_variable',
    given: { key: 'a', type: 'Number', defaultValue: 'two' },
    says: 'defaultValue must be a Number, got "two"'
  },
  {
    tool: 'create_variable',
    given: { key: 'a', type: 'String', validationSchema: { schemaType: 'list', description: '' } },
    says: 'validationSchema.schemaType should be one of enum, regex, jsonSchema, got "list"'
  },
  { tool: 'update_variable', given: { key: 'a', defaultValue: 1 }, says: 'property defaultValue should not exist' },
  { tool: 'delete_variable', given: {}, says: 'key should be a string, got nothing' },
  { tool: 'select_project', given: { project: 'books' }, says: 'property project should not exist' },
  { tool: 'get_current_project', given: { projectKey: 7 }, says: 'projectKey should be a string, got 7' }
]

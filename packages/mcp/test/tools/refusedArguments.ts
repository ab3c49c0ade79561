/** Invalid arguments of a tool, with the error: the parameter and the expected value. */
export interface Refused {
  readonly tool: string
  readonly given: object
  readonly says: string
}

/** Returns the refusals of a tool, from pairs of arguments and error. */
function of(tool: string, ...cases: readonly (readonly [given: object, says: string])[]): readonly Refused[] {
  return cases.map(([given, says]) => ({ tool, given, says }))
}

const long = (length: number) => 'x'.repeat(length)
const create = { key: 'a', name: 'A' }
const override = { feature_key: 'a', environment_key: 'a', variation_key: 'a' }

/** The limits, patterns and choices of docs/reference/tools.md, each violated once. */
export const refused: readonly Refused[] = [
  ...['list_features', 'list_variables'].flatMap((tool) =>
    of(
      tool,
      [{ search: 'ab' }, 'search should have at least 3 characters, got "ab"'],
      [{ page: 0 }, 'page should be at least 1, got 0'],
      [{ page: 1.5 }, 'page should be a whole number, got 1.5'],
      [{ perPage: 0 }, 'perPage should be at least 1, got 0'],
      [{ perPage: 1001 }, 'perPage should be at most 1000, got 1001'],
      [
        { sortBy: 'size' },
        'sortBy should be one of createdAt, updatedAt, name, key, createdBy, propertyKey, got "size"'
      ],
      [{ sortOrder: 'up' }, 'sortOrder should be one of asc, desc, got "up"'],
      [{ project: 'books' }, 'property project should not exist'],
      [{ serch: 'abc' }, 'property serch should not exist (did you mean "search"?)']
    )
  ),
  ...of(
    'list_features',
    [{ type: 'flag' }, 'type should be one of release, experiment, permission, ops, got "flag"'],
    [{ status: 'done' }, 'status should be one of active, complete, archived, got "done"'],
    [{ staleness: 'old' }, 'staleness should be one of all, unused, released, unmodified, notStale, got "old"']
  ),
  ...of(
    'list_variables',
    [{ type: 'Text' }, 'type should be one of String, Boolean, Number, JSON, got "Text"'],
    [{ status: 'complete' }, 'status should be one of active, archived, got "complete"']
  ),
  ...of(
    'create_feature',
    [{}, 'key should be a string, got nothing; name should be a string, got nothing'],
    [{ ...create, key: 'New Checkout' }, 'key should have only a–z, 0–9, "-", "_" and ".", got "New Checkout"'],
    [{ ...create, name: long(101) }, 'name should have at most 100 characters'],
    [{ ...create, description: long(1001) }, 'description should have at most 1000 characters'],
    [{ ...create, type: 'flag' }, 'type should be one of release, experiment, permission, ops'],
    [{ ...create, sdkVisibility: { web: true } }, 'property sdkVisibility.web should not exist'],
    [
      { ...create, configurations: { production: { status: 'on' } } },
      'configurations.production.status should be one of active, inactive, got "on"'
    ]
  ),
  ...of(
    'update_feature',
    [{ name: 'A' }, 'key should be a string, got nothing'],
    [{ key: 'a', name: long(101) }, 'name should have at most 100 characters'],
    [{ key: 'a', description: long(1001) }, 'description should have at most 1000 characters'],
    [{ key: 'a', staleness: {} }, 'property staleness should not exist']
  ),
  ...of('update_feature_status', [{ key: 'a' }, 'status should be one of active, complete, archived, got nothing']),
  ...of('delete_feature', [{}, 'key should be a string, got nothing']),
  ...of(
    'cleanup_feature',
    [{ key: 'a' }, 'featureKey should be a string, got nothing'],
    [{ featureKey: 'a', projectKey: 'books' }, 'property projectKey should not exist']
  ),
  ...of('install_service_sdk', [{ guide: 'cobol' }, 'guide should be one of android, android-openfeature,']),
  ...of(
    'get_feature_audit_log_history',
    [{ feature_key: 'a', perPage: 1001 }, 'perPage should be at most 1000, got 1001'],
    [
      { feature_key: 'a', startDate: 'monday' },
      'startDate must be a date such as 2026-03-01, or a date-time such as 2026-03-01T12:00:00.000Z, got "monday"'
    ],
    [{ feature_key: 'a', action: 'moved' }, 'action should be one of created, modified, deleted, got "moved"'],
    [{ feature_key: 'a', sortBy: 'name' }, 'sortBy should be one of createdAt, updatedAt, action, user, got "name"']
  ),
  ...of(
    'get_feature_total_evaluations',
    [{ featureKey: 'a', period: 'week' }, 'period should be one of day, hour, month, got "week"'],
    [{ featureKey: 'a', startDate: 'monday' }, 'startDate should be a number of milliseconds since 1970']
  ),
  ...of(
    'get_project_total_evaluations',
    [{ sdkType: 'web' }, 'sdkType should be one of client, server, mobile, api, got "web"'],
    [{ endDate: -1e15 }, 'endDate should be in the years 1000 to 9999 of UTC']
  ),
  ...of(
    'update_self_targeting_identity',
    [{}, 'svc_user_id should be a string, got nothing'],
    [{ svc_user_id: long(201) }, 'svc_user_id should have at most 200 characters']
  ),
  ...Object.keys(override).flatMap((name) =>
    of('set_self_targeting_override', [{ ...override, [name]: undefined }, `${name} should be a string, got nothing`])
  ),
  ...of('clear_feature_self_targeting_overrides', [
    { feature_key: 'a' },
    'environment_key should be a string, got nothing'
  ]),
  ...of(
    'create_variable',
    [{ key: 'A', type: 'Text' }, 'key should have only a–z'],
    [{ key: 'a', type: 'Text' }, 'type should be one of String, Boolean, Number, JSON, got "Text"'],
    [{ key: 'a', type: 'Number', defaultValue: 'two' }, 'defaultValue must be a Number, got "two"'],
    [
      { key: 'a', type: 'String', validationSchema: { schemaType: 'list', description: '' } },
      'validationSchema.schemaType should be one of enum, regex, jsonSchema, got "list"'
    ]
  ),
  ...of('update_variable', [{ key: 'a', defaultValue: 1 }, 'property defaultValue should not exist']),
  ...of('delete_variable', [{}, 'key should be a string, got nothing']),
  ...of('select_project', [{ project: 'books' }, 'property project should not exist']),
  ...of('get_current_project', [{ projectKey: 7 }, 'projectKey should be a string, got 7'])
]

import type { Chapter, Step } from './step.ts'

/** The sort orders of lists. */
export const sorts = ['createdAt', 'updatedAt', 'name', 'key', 'createdBy', 'propertyKey']

/** Features are listed. */
export const listing: readonly Chapter[] = [
  [
    'lists, searches, sorts and pages features',
    [
      {
        tool: 'list_features',
        keys: ['beta-banner', 'dark-mode', 'new-checkout'],
        part: { total: 3, page: 1, perPage: 100 }
      },
      {
        tool: 'list_features',
        given: { search: 'CHECK' },
        keys: ['new-checkout'],
        part: { total: 1, page: 1, perPage: 100 }
      },
      {
        tool: 'list_features',
        given: { sortBy: 'key', sortOrder: 'asc', page: 1, perPage: 2 },
        keys: ['beta-banner', 'dark-mode'],
        part: { total: 3, page: 1, perPage: 2 }
      },
      {
        tool: 'list_features',
        given: { sortBy: 'key', sortOrder: 'asc', page: 2, perPage: 2 },
        keys: ['new-checkout'],
        part: { total: 3, page: 2, perPage: 2 }
      },
      {
        tool: 'list_features',
        given: { sortBy: 'name', sortOrder: 'desc' },
        keys: ['new-checkout', 'dark-mode', 'beta-banner']
      },
      ...sorts.map(
        (sortBy): Step => ({
          tool: 'list_features',
          given: { sortBy, perPage: 1000 },
          part: { total: 3, page: 1, perPage: 1000 }
        })
      ),
      { tool: 'list_features', given: { type: 'ops' }, keys: ['dark-mode'] },
      { tool: 'list_features', given: { type: 'permission' }, keys: [] },
      { tool: 'list_features', given: { status: 'archived' }, keys: [] },
      {
        tool: 'list_features',
        given: { status: 'active', sortBy: 'createdAt', sortOrder: 'asc', perPage: 1 },
        keys: ['new-checkout']
      },
      { tool: 'list_features', given: { staleness: 'all' }, keys: [] },
      { tool: 'list_features', given: { staleness: 'notStale', search: 'dark' }, keys: ['dark-mode'] },
      ...['unused', 'released', 'unmodified'].map(
        (staleness): Step => ({ tool: 'list_features', given: { staleness }, keys: [] })
      ),
      {
        tool: 'list_features',
        given: ({ checkout }) => ({ createdBy: checkout._createdBy, type: 'experiment' }),
        keys: ['new-checkout']
      },
      { tool: 'list_features', given: { createdBy: 'somebody-else' }, keys: [] }
    ]
  ]
]

import { call, send, type TestServer } from '@burgee/testing/harness'
import { expect } from 'vitest'
import type { Chapter } from './step.ts'

/** The tool that reads the audit log. */
export const history = 'get_feature_audit_log_history'
/** The log of the checkout. */
export const ofCheckout = { feature_key: 'new-checkout' }
/** The first change type of each entry of the checkout so far, newest first. */
const newest = [
  'removedVariable',
  'addedVariation',
  'removedTarget',
  'disabledEnvironment',
  'modifiedFeature',
  'createdFeature'
]
const entries = (...types: readonly string[]) =>
  types.map((type) => expect.objectContaining({ changes: expect.arrayContaining([expect.objectContaining({ type })]) }))
const whole = { page: 1, perPage: 100 }

/** The audit log is read. */
export const auditing: readonly Chapter[] = [
  [
    'lists the changes of a feature, with every filter',
    [
      { tool: history, given: ofCheckout, as: 'history', result: entries(...newest), part: { total: 6, ...whole } },
      {
        tool: history,
        given: { ...ofCheckout, sortOrder: 'asc', page: 2, perPage: 4 },
        result: entries('addedVariation', 'removedVariable'),
        part: { total: 6, page: 2, perPage: 4 }
      },
      { tool: history, given: { ...ofCheckout, sortBy: 'updatedAt', sortOrder: 'desc' }, result: entries(...newest) },
      { tool: history, given: { ...ofCheckout, sortBy: 'createdAt' }, result: entries(...newest) },
      {
        tool: history,
        given: { ...ofCheckout, sortBy: 'user', sortOrder: 'asc' },
        result: entries(...newest.toReversed())
      },
      {
        tool: history,
        given: { ...ofCheckout, action: 'deleted' },
        result: entries('removedVariable', 'removedTarget'),
        part: { total: 2, ...whole }
      },
      {
        tool: history,
        given: { ...ofCheckout, action: 'created', perPage: 1, page: 2 },
        part: { total: 3, page: 2, perPage: 1 }
      },
      { tool: history, given: { ...ofCheckout, action: 'modified' }, part: { total: 6, ...whole } },
      { tool: history, given: { feature_key: 'beta-banner', action: 'created' }, result: entries('createdFeature') },
      { tool: history, given: { feature_key: 'beta-banner', action: 'modified' }, result: [] },
      {
        tool: history,
        given: { ...ofCheckout, environment: 'staging' },
        result: entries('enabledEnvironment', 'createdFeature')
      },
      {
        tool: history,
        given: ({ history }) => ({ ...ofCheckout, user: history[0].idp_user, startDate: history[1].date }),
        result: entries('removedVariable', 'addedVariation')
      },
      {
        tool: history,
        given: ({ history }) => ({ ...ofCheckout, endDate: history[5].date }),
        result: entries('createdFeature')
      },
      { tool: history, given: { ...ofCheckout, user: 'somebody-else' }, result: [], part: { total: 0, ...whole } }
    ]
  ],
  [
    'sorts the audit log by what was done, and by who did it',
    [
      {
        tool: history,
        given: { ...ofCheckout, sortBy: 'action', sortOrder: 'asc' },
        result: entries(
          ...['createdFeature', 'addedTarget', 'addedVariation'],
          'removedVariable',
          ...['modifiedFeature', 'disabledEnvironment']
        )
      },
      {
        tool: history,
        given: { ...ofCheckout, sortBy: 'action', perPage: 2, page: 2 },
        result: entries('removedVariable', 'addedVariation'),
        part: { total: 6, page: 2, perPage: 2 }
      },
      ...['asc', 'desc'].map((sortOrder) => {
        const users = [{ idp_user: 'another@clients' }, { idp_user: 'test-admin@clients' }]
        return {
          tool: history,
          given: { feature_key: 'beta-banner', sortBy: 'user', sortOrder },
          result: sortOrder === 'asc' ? users : users.toReversed()
        }
      })
    ],
    changeAsAnother
  ]
]

/** Changes a feature as a client other than the tool server. */
async function changeAsAnother(server: TestServer): Promise<void> {
  const client = { name: 'Another', clientId: 'another' }
  const { body: made } = await call(server, 'createApiClient', { body: client })
  const { body: granted } = await send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', client_id: 'another', client_secret: made.clientSecret })
  })
  const params = { project: 'books', feature: 'beta-banner' }
  const body = { description: 'For those who look.' }
  const { status } = await call(server, 'updateFeature', { params, body, key: granted.access_token })
  expect(status).toBe(200)
}

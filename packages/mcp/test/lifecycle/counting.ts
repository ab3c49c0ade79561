import { call, type TestServer } from '@burgee/testing/harness'
import { expect } from 'vitest'
import type { Chapter, Seen, Step } from './step.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Evaluates `dark-mode` three times in production, once of them on Android. */
async function evaluate(server: TestServer, { sdkKeys }: Seen): Promise<void> {
  for (const user of [{ user_id: 'ada' }, { user_id: 'bob' }, { user_id: 'eve', platform: 'Android' }]) {
    const key = sdkKeys.production.server[0].key
    const { status } = await call(server, 'evaluateVariable', { params: { key: 'dark-mode' }, body: user, key })
    expect(status).toBe(200)
  }
}

/** Evaluations are counted. */
export const counting: readonly Chapter[] = [
  [
    'counts how often each variation of a feature was served',
    [
      { tool: 'get_feature_total_evaluations', given: { featureKey: 'dark-mode' }, counts: { 'variation-on': 3 } },
      ...['hour', 'day', 'month'].map(
        (period): Step => ({
          tool: 'get_feature_total_evaluations',
          given: { featureKey: 'dark-mode', period, environment: 'production', variable: 'dark-mode', sdkType: 'api' },
          counts: { 'variation-on': 3 }
        })
      ),
      ...[{ environment: 'staging' }, { variable: 'dark-tone' }, { sdkType: 'mobile' }, { platform: 'Roku' }].map(
        (narrowed): Step => ({
          tool: 'get_feature_total_evaluations',
          given: { featureKey: 'dark-mode', ...narrowed },
          counts: {}
        })
      ),
      {
        tool: 'get_feature_total_evaluations',
        given: { featureKey: 'dark-mode', platform: 'Android' },
        counts: { 'variation-on': 1 }
      },
      {
        tool: 'get_feature_total_evaluations',
        given: ({ began }) => ({ featureKey: 'dark-mode', startDate: began - 3 * DAY, endDate: began - 2 * DAY }),
        counts: {}
      },
      {
        tool: 'get_feature_total_evaluations',
        given: ({ began }) => ({ featureKey: 'dark-mode', startDate: began - HOUR, endDate: began + HOUR }),
        counts: { 'variation-on': 3 }
      }
    ],
    evaluate
  ],
  [
    'counts how much was evaluated in the project',
    [
      { tool: 'get_project_total_evaluations', counts: { value: 3 } },
      ...['hour', 'day', 'month'].map(
        (period): Step => ({
          tool: 'get_project_total_evaluations',
          given: { period, environment: 'production', sdkType: 'api' },
          counts: { value: 3 }
        })
      ),
      { tool: 'get_project_total_evaluations', given: { environment: 'development' }, counts: {} },
      { tool: 'get_project_total_evaluations', given: { sdkType: 'client' }, counts: {} },
      {
        tool: 'get_project_total_evaluations',
        given: ({ began }) => ({ startDate: began - 3 * DAY, endDate: began - 2 * DAY }),
        counts: {}
      }
    ]
  ]
]

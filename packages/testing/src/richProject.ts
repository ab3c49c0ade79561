import type { Operations } from '@burgee/contract'
import type { User } from '@burgee/core'
import type { ApiResponse, Call } from './harness.ts'
import { allUsers, DAY, NOW } from './plan.ts'

/** Calls an operation on the project and asserts that it succeeds. */
export type CallSuccessfully = (operation: keyof Operations, given?: Call) => Promise<ApiResponse['body']>

/** The features that only some users are served. */
export const partiallyServed = [
  'nested',
  'audiences',
  'custom-data',
  'versions',
  'gradual',
  'from-half',
  'stepped',
  'by-company',
  'opt-in'
]

/** Creates features with every kind of targeting rule, and features in every status. */
export async function buildProject(call: CallSuccessfully): Promise<void> {
  await call('createAudience', {
    body: { key: 'staff', name: 'Staff', filters: anyOf(userFilter('email', 'endWith', '@example.com')) }
  })
  await call('createAudience', {
    body: {
      key: 'friends',
      name: 'Friends',
      filters: anyOf(
        { type: 'audienceMatch', _audiences: ['staff'] },
        allOf(userFilter('country', '=', 'NZ'), customDataFilter('plan', 'String', '=', 'pro'))
      )
    }
  })
  const halves = [
    { _variation: 'variation-on', percentage: 0.5 },
    { _variation: 'variation-off', percentage: 0.5 }
  ]
  const bodies: Record<string, object> = {
    plain: inProduction(targetFor(allOf(allUsers))),
    split: { ...splitContents, ...inProduction({ audience: { filters: allOf(allUsers) }, distribution: thirds }) },
    nested: inProduction(
      targetFor(
        allOf(
          anyOf(
            userFilter('country', '=', 'CA', 'US'),
            allOf(userFilter('platform', '!=', 'web'), userFilter('email', 'exist'))
          ),
          anyOf(userFilter('user_id', 'contain', '7'), userFilter('deviceModel', 'startWith', 'Pixel')),
          userFilter('email', '!contain', 'nobody')
        ),
        { name: 'Some of America' }
      ),
      targetFor(allOf(userFilter('country', '=', 'NZ')), { distribution: halves })
    ),
    audiences: inProduction(
      targetFor(
        allOf({ type: 'audienceMatch', comparator: '!=', _audiences: ['friends'] }, userFilter('country', '=', 'CA'))
      ),
      targetFor(allOf({ type: 'audienceMatch', _audiences: ['staff', 'friends'] }), { distribution: halves })
    ),
    'custom-data': inProduction(
      targetFor(
        allOf(customDataFilter('seats', 'Number', '>=', 20), customDataFilter('isTrial', 'Boolean', '=', false))
      ),
      targetFor(
        anyOf(customDataFilter('plan', 'String', 'startWith', 'pr'), customDataFilter('company', 'String', '!exist'))
      )
    ),
    versions: inProduction(
      targetFor(allOf(userFilter('appVersion', '>=', '2.1.0'), userFilter('platformVersion', '<', '17'))),
      targetFor(allOf(userFilter('appVersion', '=', '1.9.9')))
    ),
    scheduled: inProduction(targetFor(allOf(allUsers), { rollout: { type: 'schedule', startDate: daysFromNow(-1) } })),
    'not-yet': inProduction(targetFor(allOf(allUsers), { rollout: { type: 'schedule', startDate: daysFromNow(1) } })),
    gradual: inProduction(targetFor(allOf(allUsers), { rollout: rollout('gradual', 0, ['linear', 1, 2]) })),
    'from-half': inProduction(targetFor(allOf(allUsers), { rollout: rollout('gradual', 0.5, ['linear', 0.9, 3]) })),
    stepped: inProduction(
      targetFor(allOf(userFilter('country', '!=', 'NZ')), {
        rollout: rollout('stepped', 0.1, ['discrete', 0.3, -1], ['linear', 0.8, 2]),
        distribution: halves
      })
    ),
    'by-company': inProduction(
      targetFor(allOf(customDataFilter('company', 'String', 'exist')), {
        bucketingKey: 'company',
        distribution: halves
      })
    ),
    'opt-in': { settings: { optInEnabled: true }, configurations: { production: { status: 'active', targets: [] } } },
    finished: { ...splitContentsOf('finished'), configurations: {} },
    'put-away': inProduction(targetFor(allOf(allUsers))),
    'switched-off': {
      configurations: { production: { status: 'inactive', targets: [targetFor(allOf(allUsers))] } }
    }
  }
  for (const [key, { configurations, settings, ...body }] of Object.entries(bodies) as [
    string,
    ApiResponse['body']
  ][]) {
    await call('createFeature', {
      body: { key, name: key, ...body, ...(key === 'opt-in' ? {} : { configurations }) }
    })
    if (settings) await call('updateFeature', { params: { feature: key }, body: { settings } })
  }
  await call('updateFeatureConfiguration', {
    params: { feature: 'opt-in' },
    query: { environment: 'production' },
    body: { status: 'active' }
  })
  await call('updateFeatureStatus', {
    params: { feature: 'finished' },
    body: { status: 'complete', staticVariation: 'variation-b' }
  })
  await call('updateStaticConfiguration', {
    params: { feature: 'finished' },
    body: { environments: { production: 'active' }, variables: { 'finished-text': 'changed since' } }
  })
  await call('updateFeatureStatus', { params: { feature: 'put-away' }, body: { status: 'archived' } })
  await call('createVariable', { body: { key: 'free', type: 'String' } })
}

const thirds = [
  { _variation: 'variation-a', percentage: 0.3333 },
  { _variation: 'variation-b', percentage: 0.3333 },
  { _variation: 'variation-c', percentage: 0.3334 }
]

const splitContents = splitContentsOf('split')

/** A variable of each type, and three variations. */
function splitContentsOf(feature: string): object {
  const values = [
    ['a', 1, true],
    ['b', 2.5, false],
    ['ç', -1e9, true]
  ] as const
  return {
    type: 'experiment',
    variables: ['Text', 'Number', 'Flag', 'Json'].map((kind) => ({
      key: `${feature}-${kind.toLowerCase()}`,
      type: { Text: 'String', Number: 'Number', Flag: 'Boolean', Json: 'JSON' }[kind]
    })),
    variations: values.map(([text, number, flag], index) => ({
      key: `variation-${'abc'[index]}`,
      name: `Variation ${index}`,
      variables: {
        [`${feature}-text`]: text,
        [`${feature}-number`]: number,
        [`${feature}-flag`]: flag,
        [`${feature}-json`]: { text, list: [number, { flag }], nothing: null }
      }
    }))
  }
}

function rollout(
  type: string,
  startPercentage: number,
  ...stages: [type: string, percentage: number, inDays: number][]
): object {
  return {
    type,
    startDate: daysFromNow(-2),
    startPercentage,
    stages: stages.map(([type, percentage, inDays]) => ({ type, percentage, date: daysFromNow(inDays) }))
  }
}

function userFilter(subType: string, comparator: string, ...values: unknown[]): object {
  return { type: 'user', subType, comparator, ...(values.length > 0 ? { values } : {}) }
}

function customDataFilter(dataKey: string, dataKeyType: string, comparator: string, ...values: unknown[]): object {
  return { ...userFilter('customData', comparator, ...values), dataKey, dataKeyType }
}

export function allOf(...filters: object[]): object {
  return { operator: 'and', filters }
}

function anyOf(...filters: object[]): object {
  return { operator: 'or', filters }
}

/** Returns a target of a feature that was created with only a key. */
export function targetFor(filters: object, more: object = {}): object {
  return { audience: { filters }, distribution: [{ _variation: 'variation-on', percentage: 1 }], ...more }
}

export function inProduction(...targets: object[]): object {
  return { configurations: { production: { status: 'active', targets } } }
}

function daysFromNow(days: number): string {
  return new Date(NOW + days * DAY).toISOString()
}

/** Returns a distinct user: the values of members change in steps without a common divisor. */
export function toUser(index: number): User {
  const pick = <T>(values: readonly T[], step: number): T | undefined =>
    values[Math.floor(index / step) % values.length]
  const members = {
    user_id: `user-${index}`,
    email: pick([`user${index}@example.com`, `user${index}@example.org`, undefined, `nobody${index}@example.net`], 3),
    country: pick(['CA', 'US', 'NZ', 'FR', undefined], 1),
    platform: pick(['web', 'iOS', 'Android'], 7),
    platformVersion: pick(['15.2', '16', '17.0.1', undefined], 11),
    appVersion: pick(['1.9.9', '2.1.0', '2.10.0', 'v3.0.0-beta', undefined], 13),
    deviceModel: pick(['Pixel 9', 'iPhone 17', undefined], 5)
  }
  const customData = {
    plan: pick(['pro', 'free', 'private'], 2),
    seats: index % 50,
    isTrial: index % 3 === 0,
    ...(index % 4 === 0 ? {} : { company: `company-${index % 60}` })
  }
  const given = Object.entries({ ...members, customData }).filter(([, value]) => value !== undefined)
  return { user_id: members.user_id, ...Object.fromEntries(given) }
}

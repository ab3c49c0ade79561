import type { Operations } from '@burgee/contract'
import type { User } from '@burgee/core'
import type { Answer, Call } from './harness.ts'
import { DAY, everybody, NOW } from './plan.ts'

/** Does an operation of the API on the project, which has to succeed. */
export type Succeed = (operation: keyof Operations, given?: Call) => Promise<Answer['body']>

/** Features that only some users are served. */
export const partial = [
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

/** A feature of everything that rules can say, and features in every status. */
export async function buildProject(succeed: Succeed): Promise<void> {
  await succeed('createAudience', {
    body: { key: 'staff', name: 'Staff', filters: any(whose('email', 'endWith', '@example.com')) }
  })
  await succeed('createAudience', {
    body: {
      key: 'friends',
      name: 'Friends',
      filters: any(
        { type: 'audienceMatch', _audiences: ['staff'] },
        all(whose('country', '=', 'NZ'), whoseCustom('plan', 'String', '=', 'pro'))
      )
    }
  })
  const halves = [
    { _variation: 'variation-on', percentage: 0.5 },
    { _variation: 'variation-off', percentage: 0.5 }
  ]
  const bodies: Record<string, object> = {
    plain: inProduction(targetFor(all(everybody))),
    split: { ...splitContents, ...inProduction({ audience: { filters: all(everybody) }, distribution: thirds }) },
    nested: inProduction(
      targetFor(
        all(
          any(whose('country', '=', 'CA', 'US'), all(whose('platform', '!=', 'web'), whose('email', 'exist'))),
          any(whose('user_id', 'contain', '7'), whose('deviceModel', 'startWith', 'Pixel')),
          whose('email', '!contain', 'nobody')
        ),
        { name: 'Some of America' }
      ),
      targetFor(all(whose('country', '=', 'NZ')), { distribution: halves })
    ),
    audiences: inProduction(
      targetFor(all({ type: 'audienceMatch', comparator: '!=', _audiences: ['friends'] }, whose('country', '=', 'CA'))),
      targetFor(all({ type: 'audienceMatch', _audiences: ['staff', 'friends'] }), { distribution: halves })
    ),
    'custom-data': inProduction(
      targetFor(all(whoseCustom('seats', 'Number', '>=', 20), whoseCustom('isTrial', 'Boolean', '=', false))),
      targetFor(any(whoseCustom('plan', 'String', 'startWith', 'pr'), whoseCustom('company', 'String', '!exist')))
    ),
    versions: inProduction(
      targetFor(all(whose('appVersion', '>=', '2.1.0'), whose('platformVersion', '<', '17'))),
      targetFor(all(whose('appVersion', '=', '1.9.9')))
    ),
    scheduled: inProduction(targetFor(all(everybody), { rollout: { type: 'schedule', startDate: daysFromNow(-1) } })),
    'not-yet': inProduction(targetFor(all(everybody), { rollout: { type: 'schedule', startDate: daysFromNow(1) } })),
    gradual: inProduction(targetFor(all(everybody), { rollout: rollout('gradual', 0, ['linear', 1, 2]) })),
    'from-half': inProduction(targetFor(all(everybody), { rollout: rollout('gradual', 0.5, ['linear', 0.9, 3]) })),
    stepped: inProduction(
      targetFor(all(whose('country', '!=', 'NZ')), {
        rollout: rollout('stepped', 0.1, ['discrete', 0.3, -1], ['linear', 0.8, 2]),
        distribution: halves
      })
    ),
    'by-company': inProduction(
      targetFor(all(whoseCustom('company', 'String', 'exist')), { bucketingKey: 'company', distribution: halves })
    ),
    'opt-in': { settings: { optInEnabled: true }, configurations: { production: { status: 'active', targets: [] } } },
    finished: { ...splitContentsOf('finished'), configurations: {} },
    'put-away': inProduction(targetFor(all(everybody))),
    'switched-off': {
      configurations: { production: { status: 'inactive', targets: [targetFor(all(everybody))] } }
    }
  }
  for (const [key, { configurations, settings, ...body }] of Object.entries(bodies) as [string, Answer['body']][]) {
    await succeed('createFeature', {
      body: { key, name: key, ...body, ...(key === 'opt-in' ? {} : { configurations }) }
    })
    if (settings) await succeed('updateFeature', { params: { feature: key }, body: { settings } })
  }
  await succeed('updateFeatureConfiguration', {
    params: { feature: 'opt-in' },
    query: { environment: 'production' },
    body: { status: 'active' }
  })
  await succeed('updateFeatureStatus', {
    params: { feature: 'finished' },
    body: { status: 'complete', staticVariation: 'variation-b' }
  })
  await succeed('updateStaticConfiguration', {
    params: { feature: 'finished' },
    body: { environments: { production: 'active' }, variables: { 'finished-text': 'changed since' } }
  })
  await succeed('updateFeatureStatus', { params: { feature: 'put-away' }, body: { status: 'archived' } })
  await succeed('createVariable', { body: { key: 'free', type: 'String' } })
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

function whose(subType: string, comparator: string, ...values: unknown[]): object {
  return { type: 'user', subType, comparator, ...(values.length > 0 ? { values } : {}) }
}

function whoseCustom(dataKey: string, dataKeyType: string, comparator: string, ...values: unknown[]): object {
  return { ...whose('customData', comparator, ...values), dataKey, dataKeyType }
}

export function all(...filters: object[]): object {
  return { operator: 'and', filters }
}

function any(...filters: object[]): object {
  return { operator: 'or', filters }
}

/** A target of a feature that was made with nothing but a key. */
export function targetFor(filters: object, more: object = {}): object {
  return { audience: { filters }, distribution: [{ _variation: 'variation-on', percentage: 1 }], ...more }
}

export function inProduction(...targets: object[]): object {
  return { configurations: { production: { status: 'active', targets } } }
}

function daysFromNow(days: number): string {
  return new Date(NOW + days * DAY).toISOString()
}

/** A user like no other: members come and go in steps that have no common divisor. */
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

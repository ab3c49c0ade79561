import { allUsers, type FeaturePlan, idOf } from '@burgee/testing/plan'
import fc from 'fast-check'
import { ago } from './nodeSdk.ts'

/** The users in one of these audiences, or in none of them. */
export function inAudience(comparator: '=' | '!=', ...keys: string[]) {
  return { type: 'audienceMatch', comparator, _audiences: keys.map(idOf) } as const
}

const word = fc.constantFrom('a', 'ab', 'b', 'pro', '1.2.3')
const words = fc.array(word, { minLength: 1, maxLength: 3 })
const presence = ['exist', '!exist'] as const
const text = fc.constantFrom(
  '=',
  '!=',
  'contain',
  '!contain',
  'startWith',
  '!startWith',
  'endWith',
  '!endWith',
  ...presence
)
const order = fc.constantFrom('=', '!=', '>', '>=', '<', '<=')
const user = { type: fc.constant('user') }
/** Attributes have the types that filters expect: engines differ for others. */
function custom(dataKeyType: 'String' | 'Number' | 'Boolean') {
  const dataKey = { String: 's', Number: 'n', Boolean: 'b' }[dataKeyType]
  const constants = { subType: 'customData', dataKey, dataKeyType } as const
  return {
    ...user,
    ...Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, fc.constant(value)]))
  }
}

/** Every filter of the management API, except those that depend on the environment of an SDK. */
const leaf = fc.oneof(
  fc.constant(allUsers),
  fc.record({ ...user, subType: fc.constantFrom('user_id', 'email'), comparator: text, values: words }),
  fc.record({
    ...user,
    subType: fc.constant('country'),
    comparator: text,
    values: fc.array(fc.constantFrom('CA', 'US', 'GB'), { minLength: 1, maxLength: 2 })
  }),
  fc.record({
    ...user,
    subType: fc.constant('appVersion'),
    comparator: order,
    values: fc.array(fc.constantFrom('1.2.3', '1.2', '2.0.0-beta', 'v1.10.0'), { minLength: 1, maxLength: 2 })
  }),
  fc.record({ ...custom('String'), comparator: text, values: words }),
  fc.record({
    ...custom('Number'),
    comparator: fc.oneof(order, fc.constantFrom(...presence)),
    values: fc.array(fc.integer({ min: -1, max: 4 }), { minLength: 1, maxLength: 2 })
  }),
  fc.record({
    ...custom('Boolean'),
    comparator: fc.constantFrom('=', '!=', ...presence),
    values: fc.array(fc.boolean(), { minLength: 1, maxLength: 1 })
  })
)
const { group } = fc.letrec<{ group: { operator: 'and' | 'or'; filters: never[] } }>((tie) => ({
  group: fc.record({
    operator: fc.constantFrom('and', 'or'),
    // The types of filters are those of core; this list contains each.
    filters: fc.array(fc.oneof({ maxDepth: 3 }, leaf, tie('group')), { minLength: 1, maxLength: 3 }) as fc.Arbitrary<
      never[]
    >
  })
}))
/** The audiences `one` and `two`. */
export const audiences = fc.record({ one: group, two: group })
const match = fc.constantFrom(inAudience('=', 'one'), inAudience('!=', 'two'), inAudience('=', 'two', 'one'))

const share = fc.constantFrom(0, 0.25, 0.5, 0.75, 1)
const rollout = fc.oneof(
  fc.record({ type: fc.constant('schedule'), startDate: fc.constantFrom(ago(1), ago(-1)) }),
  fc.tuple(share, share, fc.constantFrom('linear', 'discrete')).map(([startPercentage, percentage, type]) => ({
    type: 'stepped',
    startDate: ago(3),
    startPercentage,
    stages: [
      { type, date: ago(-2), percentage },
      { type: 'discrete', date: ago(-4), percentage: 1 }
    ]
  }))
)
const target = fc
  .record({
    filters: fc.array(fc.oneof(leaf, group, match), { minLength: 1, maxLength: 3 }),
    share,
    rollout: fc.option(rollout, { nil: undefined }),
    bucketingKey: fc.option(fc.constant('s'), { nil: undefined })
  })
  .map(({ filters, share: on, rollout: growth, bucketingKey }) => ({
    filters: filters as FeaturePlan['targets'] & never[],
    serves: { 'variation-on': on, 'variation-off': 1 - on },
    ...(growth ? { rollout: growth } : {}),
    ...(bucketingKey ? { bucketingKey } : {})
  }))
/** A feature with any rules, except its key. */
export const feature = fc.record({ targets: fc.array(target, { maxLength: 3 }) })

/** Users of every kind, with ASCII ids: engines hash others differently. */
export const someUsers = fc.array(
  fc.record(
    {
      user_id: fc.oneof(word, fc.stringMatching(/^[!-~]{1,12}$/)),
      email: word,
      country: fc.constantFrom('CA', 'US', 'GB', 'DE'),
      appVersion: fc.constantFrom('1.2.3', '1.2', '2.0.0', '1.9.9'),
      customData: fc.record({ s: word, n: fc.integer({ min: -1, max: 4 }), b: fc.boolean() }, { requiredKeys: [] })
    },
    { requiredKeys: ['user_id'] }
  ),
  { minLength: 20, maxLength: 20 }
)

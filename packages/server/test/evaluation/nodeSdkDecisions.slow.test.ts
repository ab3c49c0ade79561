import { call, serve } from '@burgee/testing/harness'
import { attributeFilter, type Plan } from '@burgee/testing/plan'
import { runs } from '@burgee/testing/scale'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { ago, closeAll, freezeDate, local, now, valuesOf } from '../support/nodeSdk.ts'
import { audiences, feature, inAudience, someUsers } from '../support/safeRules.ts'

freezeDate()

afterEach(closeAll)

const rich: Plan = {
  audiences: {
    staff: { operator: 'or', filters: [endsWith('@example.com'), attributeFilter('user_id', 'user-7', 'user-8')] },
    paying: {
      operator: 'and',
      filters: [
        {
          operator: 'or',
          filters: [attributeFilter('customData.plan', 'pro'), attributeFilter('customData.plan', 'team')]
        }
      ]
    }
  },
  features: [
    { key: 'split', targets: [{ serves: { 'variation-on': 0.3, 'variation-off': 0.7 } }] },
    {
      key: 'thirds',
      variables: { third: 'String' },
      variations: { a: { third: 'a' }, b: { third: 'b' }, c: { third: 'c' } },
      targets: [{ serves: { a: 0.3333, b: 0.3333, c: 0.3333 } }]
    },
    {
      key: 'nested',
      targets: [
        {
          filters: [
            { operator: 'or', filters: [attributeFilter('country', 'CA'), attributeFilter('country', 'GB')] },
            { operator: 'or', filters: [endsWith('@example.com'), atLeast('seats', 20)] },
            attributeFilter('customData.plan', 'pro', 'team')
          ]
        },
        { filters: [attributeFilter('country', 'US')], serves: { 'variation-on': 0.5, 'variation-off': 0.5 } }
      ]
    },
    {
      key: 'audiences',
      targets: [
        { filters: [inAudience('=', 'staff'), inAudience('!=', 'paying')] },
        { filters: [inAudience('=', 'paying')], serves: { 'variation-off': 1 } }
      ]
    },
    {
      key: 'growing',
      targets: [
        {
          rollout: {
            type: 'gradual',
            startDate: ago(10),
            startPercentage: 0.2,
            stages: [{ type: 'linear', date: ago(-10), percentage: 0.9 }]
          }
        }
      ]
    },
    {
      key: 'stepped',
      targets: [
        {
          filters: [attributeFilter('country', 'CA', 'US')],
          rollout: {
            type: 'stepped',
            startDate: ago(10),
            startPercentage: 0.1,
            stages: [
              { type: 'discrete', date: ago(5), percentage: 0.5 },
              { type: 'discrete', date: ago(-5), percentage: 1 }
            ]
          }
        },
        { serves: { 'variation-off': 1 }, rollout: { type: 'schedule', startDate: ago(1) } }
      ]
    },
    { key: 'later', targets: [{ rollout: { type: 'schedule', startDate: ago(-1) } }] },
    {
      key: 'by-company',
      targets: [{ serves: { 'variation-on': 0.5, 'variation-off': 0.5 }, bucketingKey: 'company' }]
    },
    {
      key: 'versions',
      targets: [
        { filters: [{ type: 'user', subType: 'appVersion', comparator: '>=', values: ['2.1.0'] }] },
        {
          filters: [{ type: 'user', subType: 'appVersion', comparator: '!=', values: ['1.0.0'] }],
          serves: { 'variation-off': 1 }
        }
      ]
    },
    { key: 'private', targets: [{ filters: [attributeFilter('customData.secret', 'yes')] }] }
  ]
}

describe('the evaluation of the Node SDK', () => {
  it('has the results of the server for 200 users', async () => {
    const server = await serve(rich, {}, now)
    const client = await local(server)
    const seen = new Set<string>()
    for (const user of Array.from({ length: 200 }, (_, index) => userWith(index))) {
      const { body } = await call(server, 'evaluateVariables', { body: user })
      expect(valuesOf(client.allVariables(user)), JSON.stringify(user)).toEqual(valuesOf(body))
      for (const [key, value] of Object.entries(valuesOf(body))) {
        seen.add(`${key} ${value}`)
        expect(client.variableValue(user, key, (typeof value === 'boolean' ? !value : 'none') as never)).toBe(value)
      }
    }
    // Users of every kind occurred.
    const expected = ['split', 'nested', 'audiences', 'by-company', 'versions', 'stepped'].flatMap((key) => [
      `${key} true`,
      `${key} false`
    ])
    expect([...seen]).toEqual(expect.arrayContaining([...expected, 'third a', 'third b', 'third c', 'growing true']))
  })

  it('has the results of the server for random rules and users', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(feature, { minLength: 3, maxLength: 8 }),
        audiences,
        someUsers,
        async (made, groups, users) => {
          const features = made.map((one, index) => ({ ...one, key: `feature-${index}` }))
          const server = await serve({ features, audiences: groups }, {}, now)
          try {
            const client = await local(server)
            for (const user of users) {
              const { body } = await call(server, 'evaluateVariables', { body: user })
              expect(valuesOf(client.allVariables(user)), JSON.stringify(user)).toEqual(valuesOf(body))
            }
          } finally {
            await closeAll()
            await server.close()
          }
        }
      ),
      { numRuns: runs({ quick: 3, full: 12 }), endOnFailure: true }
    )
  }, 120_000)
})

function endsWith(end: string) {
  return { type: 'user', subType: 'email', comparator: 'endWith', values: [end] } as const
}

function atLeast(dataKey: string, least: number) {
  return {
    type: 'user',
    subType: 'customData',
    dataKey,
    dataKeyType: 'Number',
    comparator: '>=',
    values: [least]
  } as const
}

/** The users of a shop, all different. */
function userWith(index: number) {
  const pick = <T>(list: readonly T[], divisor: number) => list[Math.floor(index / divisor) % list.length] as T
  const plan = pick([undefined, 'free', 'pro', 'team'], 3)
  const email = pick([undefined, `user-${index}@example.com`, `user-${index}@example.org`], 2)
  const appVersion = pick([undefined, '1.0.0', '2.0.9', '2.1.0', '2.10.0'], 1)
  return {
    user_id: `user-${index}`,
    country: pick(['CA', 'GB', 'US', 'DE'], 1),
    ...(email ? { email } : {}),
    ...(appVersion ? { appVersion } : {}),
    customData: { seats: index, company: `company-${index % 12}`, ...(plan ? { plan } : {}) },
    ...(index % 5 === 0 ? { privateCustomData: { secret: 'yes' } } : {})
  }
}

import type { CreateFeature, CreateProject, TargetInput } from '@burgee/contract/schemas'
import type { Filter } from '@burgee/core'
import { DAY, toIsoString } from '../../lib/time.ts'

/** The demo project: a small shop. */
export const demoProject: CreateProject = {
  key: 'demo',
  name: 'Demo shop',
  settings: { edgeDB: { enabled: true } }
}

/**
 * The features of the shop: a release for one country and one plan, an experiment with a gradual rollout, and a JSON
 * config. The rollout is at 50 % at `now` (epoch milliseconds).
 */
export function demoFeatures(now: number): readonly CreateFeature[] {
  return [
    {
      key: 'new-checkout',
      name: 'New checkout',
      type: 'release',
      tags: ['demo'],
      variables: [{ key: 'new-checkout', type: 'Boolean' }],
      variations: [
        { key: 'variation-on', name: 'Variation On', variables: { 'new-checkout': true } },
        { key: 'variation-off', name: 'Variation Off', variables: { 'new-checkout': false } }
      ],
      configurations: inEveryEnvironment(
        target({ 'variation-on': 1 }, 'Canada', {
          type: 'user',
          subType: 'country',
          comparator: '=',
          values: ['CA']
        }),
        target({ 'variation-on': 1 }, 'Enterprise customers', {
          type: 'user',
          subType: 'customData',
          dataKey: 'plan',
          dataKeyType: 'String',
          comparator: '=',
          values: ['enterprise']
        }),
        target({ 'variation-off': 1 }, 'Everyone else', allUsers)
      )
    },
    {
      key: 'pricing-experiment',
      name: 'Pricing experiment',
      type: 'experiment',
      tags: ['demo'],
      variables: [
        { key: 'price-label', type: 'String' },
        { key: 'discount-percent', type: 'Number' }
      ],
      variations: [
        { key: 'control', name: 'Control', variables: { 'price-label': 'Price', 'discount-percent': 0 } },
        { key: 'ten-percent', name: 'Ten percent', variables: { 'price-label': 'Your price', 'discount-percent': 10 } },
        {
          key: 'twenty-percent',
          name: 'Twenty percent',
          variables: { 'price-label': 'Special offer', 'discount-percent': 20 }
        }
      ],
      configurations: inEveryEnvironment({
        ...target({ control: 0.5, 'ten-percent': 0.25, 'twenty-percent': 0.25 }, 'A growing share', allUsers),
        rollout: {
          type: 'gradual',
          startDate: toIsoString(now - 7 * DAY),
          startPercentage: 0,
          stages: [{ type: 'linear', date: toIsoString(now + 7 * DAY), percentage: 1 }]
        }
      })
    },
    {
      key: 'shop-layout',
      name: 'Shop layout',
      type: 'ops',
      tags: ['demo'],
      variables: [{ key: 'shop-layout', type: 'JSON' }],
      variations: [
        {
          key: 'compact',
          name: 'Compact',
          variables: { 'shop-layout': { columns: 1, banner: false, sections: ['search', 'offers'] } }
        },
        {
          key: 'wide',
          name: 'Wide',
          variables: { 'shop-layout': { columns: 3, banner: true, sections: ['offers', 'categories', 'search'] } }
        }
      ],
      configurations: inEveryEnvironment(
        target({ compact: 1 }, 'Phones', {
          type: 'user',
          subType: 'platform',
          comparator: '=',
          values: ['Android', 'iOS']
        }),
        target({ wide: 1 }, 'Everyone else', allUsers)
      )
    }
  ]
}

const allUsers: Filter = { type: 'all' }

/** Serves variations by share (variation key → percentage) to users that match a filter. */
function target(shares: Readonly<Record<string, number>>, name: string, filter: Filter): TargetInput {
  return {
    name,
    audience: { filters: { operator: 'and', filters: [filter] } },
    distribution: Object.entries(shares).map(([_variation, percentage]) => ({ _variation, percentage }))
  }
}

/** Serves these targets in every environment. */
function inEveryEnvironment(...targets: TargetInput[]): CreateFeature['configurations'] {
  const configuration = { status: 'active' as const, targets }
  return { development: configuration, staging: configuration, production: configuration }
}

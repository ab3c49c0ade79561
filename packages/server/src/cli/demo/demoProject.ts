import type {
  CreateFeature,
  CreateMetric,
  CreateProject,
  TargetInput,
  UpdateProtectedSettings
} from '@burgee/contract/schemas'
import type { Filter } from '@burgee/core'
import { DAY, toIsoString } from '../../lib/time.ts'
import type { DemoPeople } from './demoPeople.ts'
import { active, allUsers, type Configurations, everyone, everywhere, target, toggle } from './featureBodies.ts'

/** The demo project: a small shop. */
export const demoProject: CreateProject = {
  key: 'demo',
  name: 'Demo shop',
  settings: { edgeDB: { enabled: true } }
}

/** The colours of the environments of the shop, by their keys. */
export const demoColors: Readonly<Record<string, string>> = {
  development: '#4f8fd6',
  staging: '#d08a2e',
  production: '#c2527f'
}

/** Reports features that are released to everyone. Nobody evaluates most of them, which alone would make them stale. */
export const demoSettings: UpdateProtectedSettings['settings'] = {
  staleness: {
    enabled: true,
    unused: { enabled: false },
    unmodifiedShort: { enabled: false },
    unmodifiedLong: { enabled: false }
  }
}

/** A feature of the shop, its creator, and how many days before the first start it was created. */
export interface DemoFeature {
  readonly by: keyof DemoPeople
  readonly daysAgo: number
  readonly body: CreateFeature
}

/** The key of the experiment that has results. */
export const demoExperiment = 'checkout-button'

/** The metric of the experiment. */
export const demoMetric = {
  name: 'Purchases',
  key: 'purchases',
  event: 'purchase',
  dimension: 'COUNT_PER_UNIQUE_USER',
  optimize: 'increase'
} as const satisfies CreateMetric

/**
 * The features of the shop, the oldest first, in the states that features go through: off, released to a country,
 * rolled out in steps, scheduled, under experiment, released to everyone for weeks. Rollouts are relative to `now`
 * (epoch milliseconds).
 */
export function demoFeatures(now: number): readonly DemoFeature[] {
  return [
    { by: 'ada', daysAgo: 60, body: toggle('winter-banner', 'Winter banner', 'release', everywhere(everyone())) },
    { by: 'grace', daysAgo: 45, body: toggle('maintenance-mode', 'Maintenance mode', 'ops', {}) },
    { by: 'grace', daysAgo: 40, body: shopLayout() },
    {
      by: 'grace',
      daysAgo: 35,
      body: toggle('order-export', 'Order export', 'permission', everywhere(plan('enterprise')))
    },
    { by: 'ada', daysAgo: 21, body: pricingExperiment(now) },
    { by: 'ada', daysAgo: 14, body: checkoutButton() },
    { by: 'ada', daysAgo: 9, body: newCheckout() },
    { by: 'grace', daysAgo: 6, body: toggle('search-suggestions', 'Search suggestions', 'release', steps(now)) },
    {
      by: 'ada',
      daysAgo: 4,
      body: toggle('gift-wrapping', 'Gift wrapping', 'release', { development: active(everyone()) })
    },
    { by: 'ada', daysAgo: 3, body: toggle('express-delivery', 'Express delivery', 'release', scheduled(now)) },
    {
      by: 'grace',
      daysAgo: 2,
      body: toggle('support-chat', 'Support chat', 'release', {
        staging: active(everyone()),
        production: active(staff())
      })
    },
    { by: 'ada', daysAgo: 1, body: toggle('loyalty-points', 'Loyalty points', 'release', {}) }
  ]
}

function newCheckout(): CreateFeature {
  return {
    key: 'new-checkout',
    name: 'New checkout',
    type: 'release',
    tags: ['demo'],
    variables: [{ key: 'new-checkout', type: 'Boolean' }],
    variations: [
      { key: 'variation-on', name: 'Variation On', variables: { 'new-checkout': true } },
      { key: 'variation-off', name: 'Variation Off', variables: { 'new-checkout': false } }
    ],
    configurations: everywhere(
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
  }
}

function shopLayout(): CreateFeature {
  return {
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
    configurations: everywhere(
      target({ compact: 1 }, 'Phones', {
        type: 'user',
        subType: 'platform',
        comparator: '=',
        values: ['Android', 'iOS']
      }),
      target({ wide: 1 }, 'Everyone else', allUsers)
    )
  }
}

/** Runs with a growing share of all users. */
function pricingExperiment(now: number): CreateFeature {
  return {
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
    configurations: everywhere({
      ...target({ control: 0.5, 'ten-percent': 0.25, 'twenty-percent': 0.25 }, 'A growing share', allUsers),
      rollout: {
        type: 'gradual',
        startDate: toIsoString(now - 7 * DAY),
        startPercentage: 0,
        stages: [{ type: 'linear', date: toIsoString(now + 7 * DAY), percentage: 1 }]
      }
    })
  }
}

function checkoutButton(): CreateFeature {
  return {
    key: demoExperiment,
    name: 'Checkout button',
    description: 'Does a button that names the price sell more?',
    type: 'experiment',
    tags: ['demo', 'checkout'],
    variables: [{ key: 'checkout-button', type: 'String' }],
    variations: [
      { key: 'control', name: 'Buy now', variables: { 'checkout-button': 'Buy now' } },
      { key: 'with-price', name: 'Buy for 20 €', variables: { 'checkout-button': 'Buy for 20 €' } }
    ],
    controlVariation: 'control',
    configurations: everywhere(target({ control: 0.5, 'with-price': 0.5 }, 'Everyone', allUsers))
  }
}

function staff(): TargetInput {
  const filter: Filter = { type: 'user', subType: 'email', comparator: 'endWith', values: ['@shop.example'] }
  return target({ on: 1 }, 'Employees', filter)
}

function plan(name: string): TargetInput {
  return target({ on: 1 }, 'Enterprise customers', {
    type: 'user',
    subType: 'customData',
    dataKey: 'plan',
    dataKeyType: 'String',
    comparator: '=',
    values: [name]
  })
}

/** A rollout in production that has reached a quarter of all users. */
function steps(now: number): Configurations {
  const stage = (days: number, percentage: number) =>
    ({ type: 'discrete', date: toIsoString(now + days * DAY), percentage }) as const
  const rollout = {
    type: 'stepped' as const,
    startDate: toIsoString(now - 5 * DAY),
    startPercentage: 0.05,
    stages: [stage(-2, 0.25), stage(2, 0.5), stage(6, 1)]
  }
  return { ...everywhere(everyone()), production: active({ ...everyone(), rollout }) }
}

/** On for everyone in production from a given time on. */
function scheduled(now: number): Configurations {
  const rollout = { type: 'schedule' as const, startDate: toIsoString(now + 3 * DAY) }
  return { ...everywhere(everyone()), production: active({ ...everyone(), rollout }) }
}

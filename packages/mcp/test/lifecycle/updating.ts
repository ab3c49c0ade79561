import { expect } from 'vitest'
import { all, checkout, variables, variations } from './checkout.ts'
import { configurationIn } from './expected.ts'
import type { Chapter } from './step.ts'

/** Features are changed. */
export const updating: readonly Chapter[] = [
  [
    'changes what is given of a feature, and leaves the rest',
    [
      {
        tool: 'update_feature',
        given: {
          key: 'new-checkout',
          name: 'Newer checkout',
          description: 'Even fewer steps.',
          type: 'release',
          tags: ['checkout'],
          controlVariation: 'half',
          settings: { publicName: 'Try it' },
          sdkVisibility: { mobile: true },
          summary: { markdown: '# Why', links: [{ url: 'https://example.com/plan', title: 'Plan' }] }
        },
        result: {
          key: 'new-checkout',
          name: 'Newer checkout',
          description: 'Even fewer steps.',
          type: 'release',
          tags: ['checkout'],
          controlVariation: 'half',
          settings: { ...checkout.settings, publicName: 'Try it' },
          sdkVisibility: { mobile: true, client: true, server: true },
          summary: { markdown: '# Why', links: [{ url: 'https://example.com/plan', title: 'Plan' }] },
          variations
        }
      },
      {
        tool: 'update_feature',
        given: { key: 'new-checkout', configurations: { development: { status: 'inactive' } } },
        result: configurationIn('development', {
          status: 'inactive',
          targets: [expect.objectContaining({ name: 'Staff' }), expect.objectContaining({ name: 'Everyone gets off' })]
        })
      },
      {
        tool: 'update_feature',
        given: { key: 'new-checkout', configurations: { staging: { status: 'active', targets: [all('off')] } } },
        result: configurationIn('staging', {
          status: 'active',
          targets: [expect.objectContaining({ name: 'Everyone gets off' })]
        })
      }
    ]
  ],
  [
    'replaces the lists of a feature',
    [
      {
        tool: 'update_feature',
        given: {
          key: 'new-checkout',
          variations: [...variations, { key: 'twice', name: 'Twice', variables: { checkout: true, steps: 6 } }]
        },
        result: { variations: [...variations, { key: 'twice', variables: { checkout: true, steps: 6 } }] }
      },
      {
        tool: 'update_feature',
        given: { key: 'new-checkout', variations: variations.slice(1) },
        fails: ['VALIDATION_ERROR', /variation "on".*served/]
      },
      {
        tool: 'update_feature',
        given: { key: 'new-checkout', variables: variables.slice(0, 3) },
        result: { variables: ['checkout', 'steps', 'button-color'].map((key) => ({ key })) }
      }
    ]
  ]
]

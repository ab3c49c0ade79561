import { expect } from 'vitest'
import { all, checkout, gradual, nested, scheduled, variables, variations } from './checkout.ts'
import { configurationIn } from './expected.ts'
import type { Chapter, Seen } from './step.ts'

/** Features are created. */
export const creating: readonly Chapter[] = [
  [
    'creates a feature with everything that one can have',
    [
      {
        tool: 'create_feature',
        given: checkout,
        as: 'checkout',
        result: {
          key: 'new-checkout',
          name: 'New checkout',
          description: 'Fewer steps to pay.',
          type: 'experiment',
          status: 'active',
          source: 'mcp',
          tags: ['checkout', 'money'],
          controlVariation: 'off',
          settings: checkout.settings,
          sdkVisibility: checkout.sdkVisibility,
          variables: variables.map((variable) => expect.objectContaining({ ...variable, source: 'mcp' })),
          variations
        }
      },
      {
        tool: 'get_feature',
        given: { key: 'new-checkout' },
        result: configurationIn('development', {
          status: 'active',
          targets: [
            expect.objectContaining({
              name: 'Staff',
              audience: { name: 'Staff', filters: nested },
              bucketingKey: 'company'
            }),
            expect.objectContaining({ name: 'Everyone gets off' })
          ]
        })
      },
      {
        tool: 'get_feature',
        given: { key: 'new-checkout' },
        result: configurationIn('staging', {
          status: 'inactive',
          targets: [expect.objectContaining({ rollout: scheduled })]
        })
      },
      {
        tool: 'get_feature',
        given: { key: 'new-checkout' },
        result: configurationIn('production', {
          status: 'active',
          targets: [expect.objectContaining({ rollout: gradual })]
        })
      }
    ]
  ],
  [
    'creates a feature of nothing but a key and a name, and one around a variable that is there',
    [
      {
        tool: 'create_feature',
        given: {
          key: 'dark-mode',
          name: 'Dark mode',
          type: 'ops',
          configurations: { production: { status: 'active', targets: [all('variation-on')] } }
        },
        result: {
          variables: [{ key: 'dark-mode', type: 'Boolean' }],
          variations: [
            { key: 'variation-on', variables: { 'dark-mode': true } },
            { key: 'variation-off', variables: { 'dark-mode': false } }
          ]
        }
      },
      {
        tool: 'create_variable',
        given: { key: 'banner-text', type: 'String', name: 'Text of the banner' },
        as: 'bannerText',
        result: { key: 'banner-text', source: 'mcp', status: 'active' }
      },
      {
        tool: 'create_feature',
        given: {
          key: 'beta-banner',
          name: 'Banner for testers',
          variables: [{ key: 'banner-text', type: 'String' }],
          variations: [{ key: 'shown', name: 'Shown', variables: { 'banner-text': 'Welcome' } }]
        },
        result: ({ bannerText }: Seen) => ({
          type: 'release',
          variables: [{ _id: bannerText._id, key: 'banner-text' }]
        })
      }
    ]
  ]
]

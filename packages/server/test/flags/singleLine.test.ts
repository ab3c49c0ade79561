import { call, serve, type TestServer } from '@burgee/testing/harness'
import { beforeAll, describe, expect, it } from 'vitest'

let server: TestServer

beforeAll(async () => {
  server = await serve({ features: [{ key: 'checkout' }] })
})

describe.each([
  ['a line break', 'a\nb'],
  ['a line separator', 'a\u2028b'],
  ['an override of the direction', 'a\u202eb'],
  ['a control character', 'a\u0007b']
])('%s', (_name, text) => {
  const params = { project: 'shop', feature: 'checkout' }

  it.each([
    ['tags of a feature', 'updateFeature', { tags: [text] }],
    [
      'tags of an audience',
      'createAudience',
      { key: 'beta', name: 'Beta', filters: { operator: 'and', filters: [] }, tags: [text] }
    ],
    ['tags of a variable', 'createVariable', { key: 'color', type: 'String', tags: [text] }],
    [
      'the label of a value of a custom property',
      'createCustomProperty',
      {
        key: 'plan',
        propertyKey: 'plan',
        name: 'Plan',
        type: 'String',
        schema: {
          schemaType: 'enum',
          enumSchema: { allowedValues: [{ label: text, value: 'pro' }], allowAdditionalValues: false }
        }
      }
    ],
    [
      'the group of a mapping',
      'updateOrganizationSettings',
      { permissions: { groups: [{ group: text, role: 'organization_admin' }] } }
    ]
  ] as const)('is refused in %s', async (_where, operation, body) => {
    const { status, body: answer } = await call(server, operation, { params, body })
    expect([status, answer.message]).toEqual([
      400,
      expect.arrayContaining([
        expect.stringContaining('should be one line without control characters and hidden letters')
      ])
    ])
  })
})

const everyone = { name: 'Everyone', filters: { operator: 'and', filters: [{ type: 'all' }] } }
/** Builds a target that serves a variation to all users. */
export const all = (variation: string) => ({
  name: `Everyone gets ${variation}`,
  audience: everyone,
  distribution: [{ _variation: variation, percentage: 1 }]
})

/** Filters for employees, in Canada or with many seats. */
export const nested = {
  operator: 'and',
  filters: [
    { type: 'user', subType: 'email', comparator: 'endWith', values: ['@example.com'] },
    {
      operator: 'or',
      filters: [
        { type: 'user', subType: 'country', comparator: '=', values: ['CA'] },
        { type: 'user', subType: 'appVersion', comparator: '>=', values: ['2.1.0'] },
        {
          type: 'user',
          subType: 'customData',
          dataKey: 'seats',
          dataKeyType: 'Number',
          comparator: '>=',
          values: [10]
        }
      ]
    }
  ]
}

/** A rollout over a long period. */
export const gradual = {
  type: 'gradual',
  startDate: '2026-01-01T00:00:00.000Z',
  startPercentage: 0.1,
  stages: [{ type: 'linear', percentage: 1, date: '2096-01-01T00:00:00.000Z' }]
}

/** A rollout in the distant future. */
export const scheduled = { type: 'schedule', startDate: '2096-01-01T00:00:00.000Z' }

/** The validation schema of a string. */
export const colors = {
  schemaType: 'enum',
  enumValues: ['blue', 'green'],
  description: 'One of the colours of our brand.',
  exampleValue: 'blue'
}

/** The variables of the checkout: one of every type. */
export const variables = [
  { key: 'checkout', type: 'Boolean', name: 'Checkout', description: 'Whether it is the new one.', persistent: true },
  { key: 'steps', type: 'Number', tags: ['ui'], metadata: { owner: 'payments' } },
  { key: 'button-color', type: 'String', validationSchema: colors },
  { key: 'theme', type: 'JSON' }
]

/** Their values. */
export const variations = [
  {
    key: 'on',
    name: 'On',
    variables: { checkout: true, steps: 3, 'button-color': 'green', theme: { radius: 4, fonts: ['a', 'b'] } }
  },
  { key: 'off', name: 'Off', variables: { checkout: false, steps: 5, 'button-color': 'blue', theme: {} } },
  { key: 'half', name: 'Half', variables: { checkout: true, steps: 4, 'button-color': 'blue', theme: { radius: 0 } } }
]

/** A feature with all optional members. */
export const checkout = {
  key: 'new-checkout',
  name: 'New checkout',
  description: 'Fewer steps to pay.',
  type: 'experiment',
  tags: ['checkout', 'money'],
  variables,
  variations,
  controlVariation: 'off',
  configurations: {
    development: {
      status: 'active',
      targets: [
        {
          name: 'Staff',
          audience: { name: 'Staff', filters: nested },
          distribution: [
            { _variation: 'on', percentage: 0.5 },
            { _variation: 'half', percentage: 0.5 }
          ],
          bucketingKey: 'company'
        },
        all('off')
      ]
    },
    staging: { status: 'inactive', targets: [{ ...all('half'), rollout: scheduled }] },
    production: { status: 'active', targets: [{ ...all('on'), rollout: gradual }] }
  },
  settings: { publicName: 'Try the new checkout', publicDescription: 'It is shorter.', optInEnabled: true },
  sdkVisibility: { mobile: false, client: true, server: true }
}

/**
 * Adds to the demo project what a shop in use has: attributes of users, audiences, recent users, a rollout, a webhook.
 * `send` calls the management API.
 */
export async function fillShop(url, send) {
  const project = '/v1/projects/demo'
  const post = (path, body) => send('POST', path, body)
  await post(`${project}/customProperties`, {
    name: 'Plan',
    key: 'plan',
    type: 'String',
    propertyKey: 'plan',
    schema: {
      schemaType: 'enum',
      enumSchema: {
        allowedValues: ['free', 'pro', 'enterprise'].map((value) => ({ label: value, value })),
        allowAdditionalValues: true
      }
    }
  })
  const beta = await post(`${project}/audiences`, {
    name: 'Beta testers',
    key: 'beta-testers',
    description: 'Customers who asked for new things first.',
    filters: {
      operator: 'or',
      filters: [
        { type: 'user', subType: 'email', comparator: 'endWith', values: ['@example.com'] },
        { type: 'user', subType: 'country', comparator: '=', values: ['CA', 'US', 'NZ'] }
      ]
    }
  })
  await post(`${project}/audiences`, {
    name: 'Paying customers',
    key: 'paying',
    filters: {
      operator: 'and',
      filters: [
        {
          type: 'user',
          subType: 'customData',
          dataKey: 'plan',
          dataKeyType: 'String',
          comparator: '=',
          values: ['pro', 'enterprise']
        }
      ]
    }
  })
  await evaluate(url, await serverKey(send, 'production'))
  const audience = { filters: { operator: 'and', filters: [{ type: 'audienceMatch', _audiences: [beta._id] }] } }
  const targets = [
    {
      name: 'Beta testers',
      audience,
      rollout: steps(),
      distribution: [
        { _variation: 'on', percentage: 0.5 },
        { _variation: 'off', percentage: 0.5 }
      ]
    }
  ]
  await send('PATCH', `${project}/features/gift-wrapping/configurations?environment=production`, {
    status: 'active',
    targets
  })
  await post(`${project}/webhooks`, {
    name: 'Deploy log',
    url: 'https://hooks.example.com/burgee',
    description: 'Writes every switch in production to the log of deployments.',
    events: ['enabledEnvironment', 'disabledEnvironment', 'modifiedTarget'],
    _environments: ['production']
  })
}

function steps() {
  const day = 86_400_000
  const at = (days) => new Date(Date.now() + days * day).toISOString()
  return {
    type: 'stepped',
    startPercentage: 0.1,
    startDate: at(-1),
    stages: [
      { type: 'discrete', percentage: 0.25, date: at(2) },
      { type: 'discrete', percentage: 1, date: at(6) }
    ]
  }
}

async function serverKey(send, environment) {
  const { sdkKeys } = await send('GET', `/v1/projects/demo/environments/${environment}`)
  return sdkKeys.server[0].key
}

const countries = ['CA', 'US', 'DE', 'FR', 'NZ', 'JP', 'GB']
const plans = ['free', 'free', 'pro', 'enterprise']

/** Evaluates all variables for some users of the shop. */
async function evaluate(url, key) {
  for (let index = 0; index < 160; index++) {
    const user = {
      user_id: `customer-${1000 + index}`,
      email: `customer-${1000 + index}@${index % 5 === 0 ? 'example.com' : 'example.org'}`,
      country: countries[index % countries.length],
      customData: { plan: plans[index % plans.length] }
    }
    const response = await fetch(`${url}/v1/variables`, {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json' },
      body: JSON.stringify(user)
    })
    if (!response.ok) throw new Error(`the evaluation answered ${response.status}: ${await response.text()}`)
  }
}

// Evaluates flags inside an application, without a server, with @burgee/core.
import assert from 'node:assert/strict'
import { compile } from '@burgee/core'

// The config document of one environment. A server builds it; it can also be written by hand.
const config = {
  project: { _id: 'shop', key: 'shop' },
  environment: { _id: 'shop-production', key: 'production' },
  variables: [
    { _id: 'checkout', key: 'new-checkout', type: 'Boolean' },
    { _id: 'label', key: 'button-label', type: 'String' }
  ],
  features: [
    {
      _id: 'feature-checkout',
      key: 'new-checkout',
      type: 'release',
      variations: [
        {
          _id: 'variation-on',
          key: 'on',
          name: 'On',
          variables: [
            { _var: 'checkout', value: true },
            { _var: 'label', value: 'Buy now' }
          ]
        },
        {
          _id: 'variation-off',
          key: 'off',
          name: 'Off',
          variables: [
            { _var: 'checkout', value: false },
            { _var: 'label', value: 'Continue' }
          ]
        }
      ],
      configuration: {
        _id: 'configuration-checkout',
        targets: [
          {
            _id: 'target-canada',
            name: 'Canada',
            _audience: {
              filters: {
                operator: 'and',
                filters: [{ type: 'user', subType: 'country', comparator: '=', values: ['CA'] }]
              }
            },
            distribution: [{ _variation: 'variation-on', percentage: 1 }]
          },
          {
            _id: 'target-others',
            name: 'A fifth of all other users',
            _audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
            distribution: [
              { _variation: 'variation-on', percentage: 0.2 },
              { _variation: 'variation-off', percentage: 0.8 }
            ]
          }
        ]
      }
    }
  ]
}

const evaluator = compile(config, { onProblem: ({ message }) => console.warn(message) })

// One variable with its value and the reason.
const checkout = evaluator.variable({ user_id: 'ada', country: 'CA' }, 'new-checkout')
assert.equal(checkout.value, true)
assert.deepEqual(checkout.eval, { reason: 'TARGETING_MATCH', details: 'Country', target_id: 'target-canada' })

// All variables of a user. The result depends on the user and the config only.
const variables = evaluator.variables({ user_id: 'grace', country: 'US' })
assert.deepEqual(Object.keys(variables).sort(), ['button-label', 'new-checkout'])
assert.deepEqual(evaluator.variables({ user_id: 'grace', country: 'US' }), variables)

// A fifth of the users outside of Canada.
const users = Array.from({ length: 10_000 }, (_, index) => ({ user_id: `user-${index}`, country: 'US' }))
const share = users.filter((user) => evaluator.variable(user, 'new-checkout').value).length / users.length
assert.ok(Math.abs(share - 0.2) < 0.02, `expected about 0.2, got ${share}`)

// The evaluation step by step.
const [feature] = evaluator.explain({ user_id: 'grace', country: 'US' }, 'new-checkout').features
assert.equal(feature.targets[0].isMatched, false)
assert.equal(feature.targets[1].isChosen, true)
const { position, ranges } = feature.targets[1].distribution
console.log(`position of grace: ${position} in`, ranges)

// An unknown variable has no value, so the application uses its default.
assert.equal(evaluator.variable({ user_id: 'ada' }, 'unknown')?.value ?? 'default', 'default')

console.log('examples/embedded: as expected')

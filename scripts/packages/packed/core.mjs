// Imports the entry points of @burgee/core, and evaluates.
import assert from 'node:assert/strict'
import { compile } from '@burgee/core'
import manifest from '@burgee/core/package.json' with { type: 'json' }
import * as testing from '@burgee/core/testing'

const evaluator = compile({
  project: { _id: 'shop', key: 'shop' },
  environment: { _id: 'production', key: 'production' },
  variables: [{ _id: 'checkout', key: 'new-checkout', type: 'Boolean' }],
  features: [
    {
      _id: 'feature',
      key: 'new-checkout',
      type: 'release',
      variations: [{ _id: 'on', key: 'on', name: 'On', variables: [{ _var: 'checkout', value: true }] }],
      configuration: {
        _id: 'configuration',
        targets: [
          {
            _id: 'target',
            name: 'All users',
            _audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
            distribution: [{ _variation: 'on', percentage: 1 }]
          }
        ]
      }
    }
  ]
})

assert.equal(evaluator.variable({ user_id: 'ada' }, 'new-checkout').value, true)
assert.equal(manifest.name, '@burgee/core')
assert.notEqual(Object.keys(testing).length, 0)

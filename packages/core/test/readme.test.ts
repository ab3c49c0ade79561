import { attributeFilter, testConfig } from '@burgee/core/testing'
import { afterEach, expect, test } from 'vitest'

// Every variable with its value for all users. Unknown keys and values of a wrong type do not compile.
const flags = testConfig({ 'new-checkout': false, 'checkout-title': 'Pay' })

afterEach(() => flags.reset())

test('shows the new checkout to ada only', () => {
  flags.force('ada', 'new-checkout', true)
  expect(flags.value('ada', 'new-checkout')).toBe(true)
  expect(flags.value('grace', 'new-checkout')).toBe(false)
})

test('shows the title to all users', () => {
  flags.set('checkout-title', 'Buy')
  expect(flags.evaluator.variable({ user_id: 'grace' }, 'checkout-title')?.value).toBe('Buy')
})

test('shows the new checkout in Canada, and to a fifth of all other users', () => {
  const { evaluator } = testConfig(
    { 'new-checkout': false },
    {
      features: {
        checkout: {
          variations: { on: { 'new-checkout': true }, off: { 'new-checkout': false } },
          targets: [
            { name: 'Canada', filters: [attributeFilter('country', 'CA')], serves: 'on' },
            { name: 'others', serves: { on: 0.2, off: 0.8 } }
          ]
        }
      }
    }
  )
  const variable = evaluator.variable({ user_id: 'ada', country: 'CA' }, 'new-checkout')
  expect(variable).toMatchObject({ value: true, eval: { reason: 'TARGETING_MATCH', details: 'Country' } })
})

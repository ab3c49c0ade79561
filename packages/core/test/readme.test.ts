import { testConfig, whose } from '@burgee/core/testing'
import { afterEach, expect, test } from 'vitest'

// Every variable with the value that everybody gets. From here on, wrong keys and values do not compile.
const flags = testConfig({ 'new-checkout': false, 'checkout-title': 'Pay' })

afterEach(() => flags.reset())

test('only ada sees the new checkout', () => {
  flags.force('ada', 'new-checkout', true)
  expect(flags.value('ada', 'new-checkout')).toBe(true)
  expect(flags.value('grace', 'new-checkout')).toBe(false)
})

test('the title is for everybody', () => {
  flags.set('checkout-title', 'Buy')
  expect(flags.evaluator.variable({ user_id: 'grace' }, 'checkout-title')?.value).toBe('Buy')
})

test('the new checkout is for Canada, and for a fifth of the others', () => {
  const { evaluator } = testConfig(
    { 'new-checkout': false },
    {
      features: {
        checkout: {
          variations: { on: { 'new-checkout': true }, off: { 'new-checkout': false } },
          targets: [
            { name: 'Canada', filters: [whose('country', 'CA')], serves: 'on' },
            { name: 'others', serves: { on: 0.2, off: 0.8 } }
          ]
        }
      }
    }
  )
  const found = evaluator.variable({ user_id: 'ada', country: 'CA' }, 'new-checkout')
  expect(found).toMatchObject({ value: true, eval: { reason: 'TARGETING_MATCH', details: 'Country' } })
})

import { readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, it, test } from 'vitest'
import { type Config, compile, type Evaluator, ofrepFlags, type Rollout } from '../src/index.ts'
import * as testing from '../src/testing/index.ts'
import { attributeFilter, audienceFilter, optInFilter, testConfig } from '../src/testing/index.ts'

const shop = () => testConfig({ 'new-checkout': false, 'checkout-title': 'Pay', limits: { items: 10 } })

test('the testing subpath exports exactly these names', () => {
  expect(Object.keys(testing).sort()).toEqual(['attributeFilter', 'audienceFilter', 'optInFilter', 'testConfig'])
})

test('README.md shows readme.test.ts', () => {
  const [readme, shown] = ['../README.md', 'readme.test.ts'].map((path) =>
    readFileSync(new URL(path, import.meta.url), 'utf8')
  )
  expect(readme).toContain(`\`\`\`ts\n${shown}\`\`\``)
})

test('the guide to testing shows the test files of core and of the OpenFeature provider', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  const guide = read('../../../docs/guides/testing.md')
  for (const path of ['readme.test.ts', '../../openfeature-provider/test/readme.test.ts'])
    expect(guide).toContain(read(path))
})

test.each<[string, unknown, string]>([
  ['NaN', Number.NaN, 'variable "since" should be JSON, got NaN at since'],
  ['Infinity inside of an array', [1 / 0], 'variable "since" should be JSON, got Infinity at since[0]'],
  ['a Date', new Date(0), 'variable "since" should be JSON, got a Date at since'],
  ['a Date inside of an object', { at: [new Date(0)] }, 'variable "since" should be JSON, got a Date at since.at[0]'],
  ['a Map', new Map(), 'variable "since" should be JSON, got a Map at since']
])('a test config rejects %s as a value', (_, value, message) => {
  const expected = new TypeError(message)
  expect(() => testConfig({ since: value })).toThrow(expected)
  expect(() => testConfig<{ since: unknown }>({ since: {} }).set('since', value)).toThrow(expected)
  expect(() => testConfig<{ since: unknown }>({ since: {} }).force('ada', 'since', value)).toThrow(expected)
})

describe('a test config', () => {
  it('serves its values to all users, with their types', () => {
    const flags = shop()
    expectTypeOf(flags.value('ada', 'new-checkout')).toEqualTypeOf<boolean | undefined>()
    expectTypeOf(flags.value('ada', 'limits')).toEqualTypeOf<{ items: number } | undefined>()
    expect(flags.value('ada', 'new-checkout')).toBe(false)
    expect(flags.value({ user_id: 'grace', country: 'CA' }, 'checkout-title')).toBe('Pay')
    expect(flags.value('ada', 'limits')).toEqual({ items: 10 })
    expect(compile(flags.config).variable({ user_id: 'ada' }, 'limits')).toMatchObject({ type: 'JSON' })
  })

  it('sets a value for all users, forces one for a user, and undoes both', () => {
    const flags = shop().set('new-checkout', true).force('ada', 'new-checkout', false)
    expect(flags.value('ada', 'new-checkout')).toBe(false)
    expect(flags.value('grace', 'new-checkout')).toBe(true)
    flags.force({ user_id: 'grace' }, 'checkout-title', 'Buy').force('grace', 'limits', { items: 3 })
    expect(flags.evaluator.variables({ user_id: 'grace' })).toMatchObject({
      'new-checkout': { value: true },
      'checkout-title': { value: 'Buy' },
      limits: { value: { items: 3 } }
    })
    expect(flags.reset().config).toEqual(shop().config)
  })

  it('removes a value, so that the application uses its default', () => {
    const flags = shop().unset('new-checkout')
    expect(flags.value('ada', 'new-checkout')).toBeUndefined()
    expect(flags.value('ada', 'checkout-title')).toBe('Pay')
    expect(flags.force('ada', 'new-checkout', true).value('ada', 'new-checkout')).toBe(true)
    expect(flags.set('new-checkout', true).value('grace', 'new-checkout')).toBe(true)
    expect(flags.unset('new-checkout').value('grace', 'new-checkout')).toBeUndefined()
  })

  it('accepts the types of a project, with values for some variables only', () => {
    interface Flags {
      'new-checkout': boolean
      /** An object with an optional property. */
      limits: { items?: number; per: 'day' | 'week' }
    }
    const flags = testConfig<Flags>({ 'new-checkout': true })
    expectTypeOf(flags.value('ada', 'limits')).toEqualTypeOf<Flags['limits'] | undefined>()
    expect(flags.value('ada', 'limits')).toBeUndefined()
    expect(flags.set('limits', { per: 'day' }).value('ada', 'limits')).toEqual({ per: 'day' })
    const evaluator: Evaluator<object> = flags.evaluator
    expect(evaluator.keys).toEqual(['limits', 'new-checkout'])
    // @ts-expect-error: not a value of the enum.
    testConfig<Flags>({ limits: { per: 'month' } })
  })

  it('rejects unknown variables and wrong types, at compile time and at run time', () => {
    const flags = shop()
    // @ts-expect-error: a Boolean.
    expect(() => flags.set('new-checkout', 'yes')).toThrow(
      'variable "new-checkout" is a Boolean, so it cannot be "yes"'
    )
    // @ts-expect-error: a Number inside.
    flags.set('limits', { items: 'ten' })
    // @ts-expect-error: no such variable.
    expect(flags.value('ada', 'new-chekout')).toBeUndefined()
    // @ts-expect-error: no such variable.
    expect(() => flags.force('ada', 'new-chekout', undefined)).toThrow(
      /"new-chekout" should be a string, .*got undefined/
    )
    expect(() => testConfig({ 'new-checkout': undefined })).toThrow(/should be a string/)
    expect(flags.config).toEqual(shop().set('limits', { items: 'ten' as never }).config)
  })

  it('calls listeners after each change until they are removed', () => {
    const flags = shop()
    const received: Config[] = []
    const removeListener = flags.onChange((config) => received.push(config))
    flags.set('new-checkout', true)
    expect(received).toEqual([flags.config])
    flags.reset()
    removeListener()
    flags.set('new-checkout', true)
    expect(received).toHaveLength(2)
    expect(compile(received[0]!).variable({ user_id: 'ada' }, 'new-checkout')?.value).toBe(true)
    expect(compile(received[1]!).variable({ user_id: 'ada' }, 'new-checkout')?.value).toBe(false)
  })
})

describe('the rules of a test config', () => {
  const start: Rollout = { type: 'schedule', startDate: '2026-03-01T00:00:00.000Z' }
  const withRules = () =>
    testConfig(
      { 'new-checkout': false, 'checkout-title': 'Pay' },
      {
        audiences: { staff: [attributeFilter('email', 'ada@burgee.dev')] },
        features: {
          checkout: {
            variations: {
              short: { 'new-checkout': true, 'checkout-title': 'Buy' },
              long: { 'new-checkout': true, 'checkout-title': 'Continue to payment' }
            },
            targets: [
              { filters: [attributeFilter('customData.plan', 'pro')], serves: 'long' },
              { filters: [optInFilter] },
              { filters: [attributeFilter('country', 'CA')], serves: { short: 0.5, long: 0.5 } },
              { name: 'staff', filters: [audienceFilter('staff')], rollout: start }
            ],
            off: 'long'
          }
        },
        metadata: { 'new-checkout': { owner: 'payments' } }
      }
    )

  it('take precedence over the values for all users', () => {
    const flags = withRules()
    expect(flags.value('grace', 'checkout-title')).toBe('Pay')
    const pro = { user_id: 'grace', customData: { plan: 'pro' } }
    expect(flags.value(pro, 'checkout-title')).toBe('Continue to payment')
    expect(flags.value({ user_id: 'grace', optIns: { checkout: true } }, 'checkout-title')).toBe('Buy')
    const staff = { user_id: 'ada', email: 'ada@burgee.dev' }
    const [before, after] = ['2026-02-01', '2026-04-01'].map((date) => ({ now: Date.parse(date) }))
    expect(flags.value(staff, 'checkout-title', before)).toBe('Pay')
    expect(flags.value(staff, 'checkout-title', after)).toBe('Buy')
    expect(flags.evaluator.variable(staff, 'new-checkout', after)?.eval.target_id).toBe('checkout target staff')
    expect(flags.set('checkout-title', 'Set').value(pro, 'checkout-title')).toBe('Set')
  })

  it('give the same shares to the same users every time', () => {
    const users = Array.from({ length: 2_000 }, (_, index) => ({ user_id: `user-${index}`, country: 'CA' }))
    const [one, another] = [withRules(), withRules()].map((flags) =>
      users.map((user) => flags.value(user, 'checkout-title'))
    )
    expect(one).toEqual(another)
    const share = one!.filter((value) => value === 'Buy').length / users.length
    expect(share).toBeGreaterThan(0.45)
    expect(share).toBeLessThan(0.55)
  })

  it('do not apply to a user with a forced variation', () => {
    const flags = withRules().forceVariation('ada', 'checkout', 'long')
    expect(flags.evaluator.features({ user_id: 'ada' }).checkout).toMatchObject({ variationKey: 'long' })
    expect(flags.value('ada', 'checkout-title')).toBe('Continue to payment')
    expect(flags.value('grace', 'checkout-title')).toBe('Pay')
    flags.force('ada', 'checkout-title', 'Forced')
    expect(flags.value('ada', 'checkout-title')).toBe('Forced')
    expect(flags.value('ada', 'new-checkout')).toBe(true)
    expect(() => flags.forceVariation('ada', 'checkot', 'long')).toThrow(
      'unknown feature "checkot"; known features: checkout'
    )
    expect(() => flags.forceVariation('ada', 'checkout', 'lng')).toThrow(/no variation "lng"; it has: short, long/)
  })

  it('add metadata and off values to OFREP responses', () => {
    const flags = withRules().unset('new-checkout').unset('checkout-title')
    const { flags: answers } = ofrepFlags(flags.evaluator, { user: { user_id: 'grace' } })
    expect(answers).toEqual([
      { key: 'checkout-title', reason: 'DEFAULT', variant: 'long', value: 'Continue to payment' },
      { key: 'new-checkout', reason: 'DEFAULT', variant: 'long', value: true, metadata: { owner: 'payments' } }
    ])
  })

  it('are validated by testConfig', () => {
    const creating = (rules: Parameters<typeof testConfig<{ a: boolean }>>[1]) => () => testConfig({ a: true }, rules)
    const variations = { on: { a: true } }
    expect(creating({ features: { f: { variations, targets: [{ serves: 'off' }] } } })).toThrow(
      'feature "f" has no variation "off"; it has: on'
    )
    expect(creating({ features: { f: { variations, off: 'off' } } })).toThrow(/has no variation "off"/)
    expect(creating({ features: { f: { variations: { on: { a: 'yes' as never } } } } })).toThrow(
      'variable "a" cannot be both a Boolean and a String'
    )
    // @ts-expect-error: no such attribute.
    attributeFilter('plan', 'pro')
  })

  it('throw if a feature fails, unlike other evaluators', () => {
    const variations = { on: { a: true }, off: { a: false } }
    const flags = testConfig({ a: true }, { features: { f: { variations, targets: [{ serves: { on: 0.1 } }] } } })
    expect(() => flags.evaluator.variables({ user_id: 'ada' })).toThrow(/f/)
    const config = JSON.parse(JSON.stringify(flags.config))
    expect(compile(config).variable({ user_id: 'ada' }, 'a')?.value).toBe(true)
  })
})

import { readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, it, test } from 'vitest'
import { type Config, compile, type Evaluator, ofrepFlags, type Rollout } from '../src/index.ts'
import * as kit from '../src/testing/index.ts'
import { inAudience, optedIn, testConfig, whose } from '../src/testing/index.ts'

const shop = () => testConfig({ 'new-checkout': false, 'checkout-title': 'Pay', limits: { items: 10 } })

test('the kit has these public names and no others', () => {
  expect(Object.keys(kit).sort()).toEqual(['inAudience', 'optedIn', 'testConfig', 'whose'])
})

test.each(['core', 'openfeature-provider'])('the README shows a test of %s that runs', (name) => {
  const [readme, shown] = ['../../../README.md', `../../${name}/test/readme.test.ts`].map((path) =>
    readFileSync(new URL(path, import.meta.url), 'utf8')
  )
  expect(readme).toContain(`\`\`\`ts\n${shown}\`\`\``)
})

test.each<[string, unknown, string]>([
  ['a Date', new Date(0), 'variable "since" should be JSON, got a Date at since'],
  ['a Date inside of an object', { at: [new Date(0)] }, 'variable "since" should be JSON, got a Date at since.at[0]'],
  ['a Map', new Map(), 'variable "since" should be JSON, got a Map at since']
])('a test config refuses %s as a value', (_, value, message) => {
  const refusal = new TypeError(message)
  expect(() => testConfig({ since: value })).toThrow(refusal)
  expect(() => testConfig<{ since: unknown }>({ since: {} }).set('since', value)).toThrow(refusal)
  expect(() => testConfig<{ since: unknown }>({ since: {} }).force('ada', 'since', value)).toThrow(refusal)
})

describe('a test config', () => {
  it('gives everybody the values it was made with, with their types', () => {
    const flags = shop()
    expectTypeOf(flags.value('ada', 'new-checkout')).toEqualTypeOf<boolean | undefined>()
    expectTypeOf(flags.value('ada', 'limits')).toEqualTypeOf<{ items: number } | undefined>()
    expect(flags.value('ada', 'new-checkout')).toBe(false)
    expect(flags.value({ user_id: 'grace', country: 'CA' }, 'checkout-title')).toBe('Pay')
    expect(flags.value('ada', 'limits')).toEqual({ items: 10 })
    expect(compile(flags.config).variable({ user_id: 'ada' }, 'limits')).toMatchObject({ type: 'JSON' })
  })

  it('sets a value for everybody, forces one for a user, and undoes both', () => {
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

  it('lets go of a value, so that the application uses its own default', () => {
    const flags = shop().unset('new-checkout')
    expect(flags.value('ada', 'new-checkout')).toBeUndefined()
    expect(flags.value('ada', 'checkout-title')).toBe('Pay')
    expect(flags.force('ada', 'new-checkout', true).value('ada', 'new-checkout')).toBe(true)
    expect(flags.set('new-checkout', true).value('grace', 'new-checkout')).toBe(true)
    expect(flags.unset('new-checkout').value('grace', 'new-checkout')).toBeUndefined()
  })

  it('takes the types of a project, and has no value for what it was not given', () => {
    interface Flags {
      'new-checkout': boolean
      /** Its members may be left out. */
      limits: { items?: number; per: 'day' | 'week' }
    }
    const flags = testConfig<Flags>({ 'new-checkout': true })
    expectTypeOf(flags.value('ada', 'limits')).toEqualTypeOf<Flags['limits'] | undefined>()
    expect(flags.value('ada', 'limits')).toBeUndefined()
    expect(flags.set('limits', { per: 'day' }).value('ada', 'limits')).toEqual({ per: 'day' })
    const evaluator: Evaluator<object> = flags.evaluator
    expect(evaluator.keys).toEqual(['limits', 'new-checkout'])
    // @ts-expect-error: an enum knows its values.
    testConfig<Flags>({ limits: { per: 'month' } })
  })

  it('does not compile with what is not there, and says so where there are no types', () => {
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
      /"new-chekout" should be a text, .*got undefined/
    )
    expect(() => testConfig({ 'new-checkout': undefined })).toThrow(/should be a text/)
    expect(flags.config).toEqual(shop().set('limits', { items: 'ten' as never }).config)
  })

  it('tells its config after each change, until it is no longer asked', () => {
    const flags = shop()
    const told: Config[] = []
    const end = flags.onChange((config) => told.push(config))
    flags.set('new-checkout', true)
    expect(told).toEqual([flags.config])
    flags.reset()
    end()
    flags.set('new-checkout', true)
    expect(told).toHaveLength(2)
    expect(compile(told[0]!).variable({ user_id: 'ada' }, 'new-checkout')?.value).toBe(true)
    expect(compile(told[1]!).variable({ user_id: 'ada' }, 'new-checkout')?.value).toBe(false)
  })
})

describe('the rules of a test config', () => {
  const start: Rollout = { type: 'schedule', startDate: '2026-03-01T00:00:00.000Z' }
  const ruled = () =>
    testConfig(
      { 'new-checkout': false, 'checkout-title': 'Pay' },
      {
        audiences: { staff: [whose('email', 'ada@burgee.dev')] },
        features: {
          checkout: {
            variations: {
              short: { 'new-checkout': true, 'checkout-title': 'Buy' },
              long: { 'new-checkout': true, 'checkout-title': 'Continue to payment' }
            },
            targets: [
              { filters: [whose('customData.plan', 'pro')], serves: 'long' },
              { filters: [optedIn] },
              { filters: [whose('country', 'CA')], serves: { short: 0.5, long: 0.5 } },
              { name: 'staff', filters: [inAudience('staff')], rollout: start }
            ],
            off: 'long'
          }
        },
        metadata: { 'new-checkout': { owner: 'payments' } }
      }
    )

  it('decide before the values for everybody, by target, audience, opt-in and moment', () => {
    const flags = ruled()
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
    const [one, another] = [ruled(), ruled()].map((flags) => users.map((user) => flags.value(user, 'checkout-title')))
    expect(one).toEqual(another)
    const share = one!.filter((value) => value === 'Buy').length / users.length
    expect(share).toBeGreaterThan(0.45)
    expect(share).toBeLessThan(0.55)
  })

  it('are overruled by a variation that is forced for a user', () => {
    const flags = ruled().forceVariation('ada', 'checkout', 'long')
    expect(flags.evaluator.features({ user_id: 'ada' }).checkout).toMatchObject({ variationKey: 'long' })
    expect(flags.value('ada', 'checkout-title')).toBe('Continue to payment')
    expect(flags.value('grace', 'checkout-title')).toBe('Pay')
    flags.force('ada', 'checkout-title', 'Forced')
    expect(flags.value('ada', 'checkout-title')).toBe('Forced')
    expect(flags.value('ada', 'new-checkout')).toBe(true)
    expect(() => flags.forceVariation('ada', 'checkot', 'long')).toThrow('no feature "checkot"; there are: checkout')
    expect(() => flags.forceVariation('ada', 'checkout', 'lng')).toThrow(/no variation "lng"; it has: short, long/)
  })

  it('bring metadata, and off values for OFREP', () => {
    const flags = ruled().unset('new-checkout').unset('checkout-title')
    const { flags: answers } = ofrepFlags(flags.evaluator, { user: { user_id: 'grace' } })
    expect(answers).toEqual([
      { key: 'checkout-title', reason: 'DEFAULT', variant: 'long', value: 'Continue to payment' },
      { key: 'new-checkout', reason: 'DEFAULT', variant: 'long', value: true, metadata: { owner: 'payments' } }
    ])
  })

  it('that cannot be right are refused where they are written', () => {
    const refused = (rules: Parameters<typeof testConfig<{ a: boolean }>>[1]) => () => testConfig({ a: true }, rules)
    const variations = { on: { a: true } }
    expect(refused({ features: { f: { variations, targets: [{ serves: 'off' }] } } })).toThrow(
      'feature "f" has no variation "off"; it has: on'
    )
    expect(refused({ features: { f: { variations, off: 'off' } } })).toThrow(/has no variation "off"/)
    expect(refused({ features: { f: { variations: { on: { a: 'yes' as never } } } } })).toThrow(
      'variable "a" cannot be both a Boolean and a String'
    )
    // @ts-expect-error: no such attribute.
    whose('plan', 'pro')
  })

  it('that cannot decide about a user fail the test', () => {
    const variations = { on: { a: true }, off: { a: false } }
    const flags = testConfig({ a: true }, { features: { f: { variations, targets: [{ serves: { on: 0.1 } }] } } })
    expect(() => flags.evaluator.variables({ user_id: 'somebody' })).toThrow(/f/)
    const config = JSON.parse(JSON.stringify(flags.config))
    expect(compile(config).variable({ user_id: 'somebody' }, 'a')?.value).toBe(true)
  })
})

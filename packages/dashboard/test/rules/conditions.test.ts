import { type CustomProperty, UserFilter } from '@burgee/contract/schemas'
import { describe, expect, test } from 'vitest'
import { comparatorChoices } from '../../src/rules/comparators.ts'
import { conditionMessages } from '../../src/rules/conditionMessages.ts'
import { newCondition, valueControl, withComparator, withProperty, withValues } from '../../src/rules/conditions.ts'
import { type Property, propertyChoices, propertyOf, valueTypeOf } from '../../src/rules/properties.ts'

const plan: CustomProperty = {
  _id: '65f0c0ffee0123456789abcd',
  _project: '65f0c0ffee0123456789abce',
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:00.000Z',
  _createdBy: 'ada',
  key: 'plan',
  name: 'Plan',
  propertyKey: 'plan',
  type: 'String',
  schema: {
    schemaType: 'enum',
    enumSchema: { allowedValues: [{ label: 'Pro', value: 'pro' }], allowAdditionalValues: false }
  }
}

const context = { customProperties: [plan] }

const custom = (dataKeyType: 'String' | 'Number' | 'Boolean', dataKey = 'plan'): Property => ({
  kind: 'custom',
  dataKey,
  dataKeyType
})

const user = (subType: 'email' | 'country' | 'appVersion'): Property => ({ kind: 'user', subType })

const sample = { text: 'a', country: 'CA', version: '1.2', number: 1, boolean: true } as const

describe('a condition', () => {
  test.each([
    user('email'),
    user('country'),
    user('appVersion'),
    custom('String', 'x'),
    custom('Number', 'x'),
    custom('Boolean', 'x')
  ])('on $subType$dataKeyType has the comparators that the API accepts', (property) => {
    const type = valueTypeOf(property) as keyof typeof sample
    for (const { comparator } of comparatorChoices(property)) {
      const condition = withComparator(withValues(newCondition(property), [sample[type]]), comparator)
      expect(UserFilter.safeParse(condition.filter).error).toBeUndefined()
      expect(conditionMessages(condition, context)).toEqual([])
    }
  })

  test('keeps its values while its comparator has none', () => {
    const before = withValues(newCondition(user('email')), ['a@example.com'])
    const known = withComparator(before, 'exist')
    expect(known.filter).not.toHaveProperty('values')
    expect(withComparator(withComparator(known, '!exist'), 'endWith').filter.values).toEqual(['a@example.com'])
  })

  test('loses its values with its property', () => {
    const condition = withValues(newCondition(user('country')), ['CA'])
    expect(withProperty(condition, user('country'))).toBe(condition)
    expect(withProperty(condition, user('email')).filter).toEqual(newCondition(user('email')).filter)
  })

  test.each<[string, Property, string, readonly unknown[], string, string]>([
    ['without values', user('email'), '=', [], 'error', 'enter at least one value'],
    ['an empty text', user('email'), '=', [''], 'error', 'must not be empty'],
    ['outer space', user('email'), '=', [' a'], 'warning', '“ a” begins or ends with a space'],
    [
      'an unknown country',
      user('country'),
      '=',
      ['ZZ'],
      'error',
      '“ZZ” is not an ISO 3166 code in upper case, such as CA'
    ],
    ['no version', user('appVersion'), '=', ['x'], 'error', '“x” is not a version: enter one such as 1.2.3'],
    ['no number', custom('Number', 'n'), '=', ['x'], 'error', '“x” is not a number: enter one such as 12.5'],
    [
      'numbers in order',
      custom('Number', 'n'),
      '>',
      [1, 2],
      'hint',
      'only the smallest value has an effect, because one match is enough'
    ],
    [
      'a value outside of the list',
      custom('String'),
      '=',
      ['x'],
      'warning',
      '“x” is not among the values of this property'
    ],
    ['no audience', { kind: 'audience' }, '=', [], 'error', 'choose at least one'],
    ['a missing audience', { kind: 'audience' }, '=', ['beta'], 'error', 'audience “beta” does not exist'],
    [
      'too many values',
      user('email'),
      '=',
      Array.from({ length: 10_001 }, (_, index) => `${index}`),
      'error',
      'enter at most 10,000 values, not 10,001'
    ]
  ])('with %s says so', (_, property, comparator, values, level, message) => {
    const condition = withComparator(withValues(newCondition(property), values), comparator)
    const messages = conditionMessages(condition, { ...context, audiences: new Set<string>() })
    expect(messages).toContainEqual(expect.objectContaining({ level, message }))
  })

  test('on whether a version is known shows the comparator with an error', () => {
    const condition = withComparator(newCondition(user('appVersion')), 'exist')
    expect(comparatorChoices(user('appVersion'), 'exist').at(-1)?.label).toBe('exists')
    expect(conditionMessages(condition, context)).toMatchObject([{ level: 'error', member: 'comparator' }])
  })

  test('offers opt-in to targets only, and the allowed values of a custom property', () => {
    const kinds = (place: 'target' | 'audience') => propertyChoices([plan], place).map(({ property }) => property.kind)
    expect(kinds('target')).toContain('optIn')
    expect(kinds('audience')).not.toContain('optIn')
    const control = valueControl(newCondition(custom('String')).filter, [plan])
    expect(control).toMatchObject({ type: 'chips', allowsOthers: false, choices: [{ value: 'pro' }] })
    expect(propertyOf({ type: 'user', subType: 'ip' })).toBeUndefined()
  })
})

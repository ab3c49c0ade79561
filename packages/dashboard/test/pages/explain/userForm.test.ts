import { describe, expect, test } from 'vitest'
import {
  emptyUserForm,
  formatScalar,
  parseScalar,
  switchMode,
  toUserForm,
  userOf
} from '../../../src/pages/explain/userForm.ts'

describe('custom values', () => {
  test.each([[12], [-1.5], [true], [false], ['pro'], ['12'], ['true'], ['007'], ['"quoted"'], ['']])(
    'reads %j again as it was written',
    (value) => {
      expect(parseScalar(formatScalar(value))).toBe(value)
    }
  )
})

describe('the form', () => {
  const user = { user_id: 'ada', country: 'CA', language: 'en', customData: { plan: 'pro', seats: 12 } }

  test('returns the user from which it was created', () => {
    expect(userOf(toUserForm(user))).toEqual({ type: 'user', user })
  })

  test('keeps the user from fields to JSON and back', () => {
    const there = switchMode(toUserForm(user), 'json')
    expect(userOf(there)).toEqual({ type: 'user', user })
    expect(userOf(switchMode(there, 'fields'))).toEqual({ type: 'user', user })
  })

  test('keeps JSON that cannot be read', () => {
    const form = { ...emptyUserForm, mode: 'json' as const, json: '{"user_id":' }
    expect(switchMode(form, 'fields')).toBe(form)
  })

  test('refuses a country that does not exist', () => {
    const form = { ...emptyUserForm, values: { user_id: 'ada', country: 'Narnia' } }
    expect(userOf(form)).toMatchObject({ type: 'problem', field: 'country' })
  })

  test.each(['Canada', ' canada ', 'ca', 'CA'])('takes %j for the country CA', (country) => {
    const form = { ...emptyUserForm, values: { user_id: 'ada', country } }
    expect(userOf(form)).toEqual({ type: 'user', user: { user_id: 'ada', country: 'CA' } })
  })
})

import { ApiError } from '@burgee/contract/client'
import type { Environment } from '@burgee/contract/schemas'
import { describe, expect, test } from 'vitest'
import { issueIn } from '../../src/api/issues.ts'
import { affectsUsers, changesBetween, toForm } from '../../src/pages/environments/settings.ts'
import {
  fromLocalTime,
  toLocalTime,
  toRestrictions,
  toTyped,
  unrestricted,
  withoutNull
} from '../../src/parts/keys/restrictions.ts'
import { toSixDigits } from '../../src/parts/settings/ColorField.tsx'

const environment: Environment = {
  _id: '65f0c0ffee01234567890001',
  _project: '65f0c0ffee01234567890002',
  _createdBy: 'ada',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  key: 'qa',
  name: 'QA',
  type: 'staging',
  readonly: false
}

describe('restrictions', () => {
  test('an empty form removes what the type of key can have', () => {
    expect(toRestrictions(unrestricted, 'server')).toEqual({ expiresAt: null, allowedNetworks: null })
    expect(toRestrictions(unrestricted, 'client')).toEqual({ expiresAt: null, allowedOrigins: null })
    expect(toRestrictions(unrestricted, 'mobile')).toEqual({ expiresAt: null })
    expect(withoutNull(toRestrictions(unrestricted, 'server'))).toEqual({})
  })

  test('networks are separated by lines or commas', () => {
    const typed = { ...unrestricted, networks: ' 10.1.0.0/16\n\n192.0.2.7, 2001:db8::/32 ' }
    expect(toRestrictions(typed, 'server').allowedNetworks).toEqual(['10.1.0.0/16', '192.0.2.7', '2001:db8::/32'])
  })

  test('a key survives its form', () => {
    const key = { key: 'client-a', createdAt: '', compromised: false, compromised_url: '' }
    const restrictions = {
      expiresAt: '2027-03-01T12:30:00.000Z',
      allowedOrigins: ['https://a.example', 'https://b.example']
    }
    expect(toRestrictions(toTyped({ ...key, ...restrictions }), 'client')).toEqual(restrictions)
  })

  test('returns a time unchanged from its field', () => {
    expect(fromLocalTime(toLocalTime('2027-07-01T12:30:00.000Z'))).toBe('2027-07-01T12:30:00.000Z')
  })

  test('keeps text that is not a time as typed', () => {
    expect(fromLocalTime('tomorrow')).toBe('tomorrow')
  })

  test('the problem of an entry stands at its field', () => {
    const issues = [{ in: 'body', path: ['allowedNetworks', 1], message: 'should be a network' }]
    const error = new ApiError('updateSdkKey', 400, { message: 'no', issues })
    expect(issueIn(error, 'allowedNetworks')).toBe('should be a network')
    expect(issueIn(error, 'expiresAt')).toBeUndefined()
    const sentences = new ApiError('updateSdkKey', 400, { message: ['allowedNetworks.0 should be a network'] })
    expect(issueIn(sentences, 'allowedNetworks')).toBe('allowedNetworks.0 should be a network')
    expect(issueIn(null, 'expiresAt')).toBeUndefined()
  })
})

describe('settings', () => {
  const form = toForm(environment)

  test('nothing is sent where nothing changed', () => {
    expect(changesBetween(form, { ...form })).toBeUndefined()
  })

  test('sends only changed members', () => {
    expect(changesBetween(form, { ...form, name: 'Quality', signedUsers: 'accepted' })).toEqual({
      name: 'Quality',
      settings: { signedUsers: 'accepted' }
    })
  })

  test('a colour that was not there cannot be taken away again', () => {
    expect(changesBetween({ ...form, color: '#112233' }, form)).toBeUndefined()
  })

  test('the type and the settings of evaluation affect users, a name does not', () => {
    expect(affectsUsers({ name: 'Quality' })).toBe(false)
    expect(affectsUsers({ type: 'production' })).toBe(true)
    expect(affectsUsers({ settings: { ofrepOffValues: true } })).toBe(true)
  })
})

test.each([
  ['#abc', '#aabbcc'],
  ['#abcd', '#aabbcc'],
  ['#1d4ed8', '#1d4ed8'],
  ['#1d4ed8ff', '#1d4ed8']
])('%s is %s to the picker of colours', (color, expected) => {
  expect(toSixDigits(color)).toBe(expected)
})

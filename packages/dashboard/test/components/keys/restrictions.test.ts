import { describe, expect, test } from 'vitest'
import {
  fromLocalTime,
  toLocalTime,
  toRestrictions,
  toTyped,
  unrestricted,
  withoutNull
} from '../../../src/components/keys/restrictions.ts'

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
})

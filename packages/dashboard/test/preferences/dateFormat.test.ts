import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dateFormat } from '../../src/preferences/dateFormat.ts'
import { shownTimeZone, timeZone } from '../../src/preferences/preferences.ts'

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name)
  })
  vi.stubGlobal('document', { documentElement: { dataset: {} } })
})

afterEach(() => vi.unstubAllGlobals())

test('dates follow the chosen time zone', () => {
  const format = dateFormat({ hour: '2-digit', minute: '2-digit' })
  timeZone.choose('Asia/Tokyo')
  expect(format('2026-03-01T12:00:00Z')).toBe('21:00')
  timeZone.choose('UTC')
  expect(format('2026-03-01T12:00:00Z')).toBe('12:00')
  timeZone.choose('')
  expect(shownTimeZone()).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dateFormat } from '../../src/look/dateFormat.ts'
import { shortcuts, shownTimeZone, theme, timeZone } from '../../src/look/preferences.ts'
import { timeZoneChoices } from '../../src/look/preferenceWords.ts'

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

describe('a preference', () => {
  test('is remembered, notifies those who show it, and returns to its initial value', () => {
    const seen: string[] = []
    const stop = theme.subscribe(() => seen.push(theme.read()))
    theme.choose('dark')
    expect(document.documentElement.dataset.theme).toBe('dark')
    theme.choose('system')
    stop()
    theme.choose('light')
    expect(seen).toEqual(['dark', 'system'])
    expect(theme.read()).toBe('light')
    theme.choose('system')
    expect(document.documentElement.dataset.theme).toBeUndefined()
  })

  test('ignores a stored value that is not valid', () => {
    localStorage.setItem('burgee.theme', 'purple')
    localStorage.setItem('burgee.time-zone', 'Middle/Earth')
    expect([theme.read(), timeZone.read(), shortcuts.read()]).toEqual(['system', '', 'on'])
  })
})

test('dates follow the chosen time zone', () => {
  const format = dateFormat({ hour: '2-digit', minute: '2-digit' })
  timeZone.choose('Asia/Tokyo')
  expect(format('2026-03-01T12:00:00Z')).toBe('21:00')
  timeZone.choose('UTC')
  expect(format('2026-03-01T12:00:00Z')).toBe('12:00')
  timeZone.choose('')
  expect(shownTimeZone()).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
})

test('time zones are grouped by region', () => {
  const choices = timeZoneChoices()
  expect(
    choices.find(({ value }) => value === 'America/Argentina/Buenos_Aires' || value === 'America/Buenos_Aires')
  ).toMatchObject({ group: 'America' })
  expect(new Set(choices.map(({ value }) => value)).size).toBe(choices.length)
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { shortcuts, theme, timeZone } from '../../src/preferences/preferences.ts'

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

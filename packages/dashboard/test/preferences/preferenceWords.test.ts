import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { timeZoneChoices } from '../../src/preferences/preferenceWords.ts'

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

test('zones have the current names of their cities', () => {
  const labels = timeZoneChoices().map(({ label }) => label)
  expect(labels).toEqual(expect.arrayContaining(['Kolkata', 'Kyiv', 'Yangon', 'Kathmandu', 'Nuuk', 'Ho Chi Minh']))
  expect(labels).not.toContain('Calcutta')
})

test('time zones are grouped by region', () => {
  const choices = timeZoneChoices()
  expect(
    choices.find(({ value }) => value === 'America/Argentina/Buenos_Aires' || value === 'America/Buenos_Aires')
  ).toMatchObject({ group: 'America' })
  expect(new Set(choices.map(({ value }) => value)).size).toBe(choices.length)
})

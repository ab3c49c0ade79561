import { expect, test } from 'vitest'
import { parseTime } from '../../src/run/parseTime.ts'

test.each([
  ['', ''],
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['2026-03-01T12:00Z', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01T12:00:30.5+02:00', '2026-03-01T10:00:30.500Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z']
])('takes %j', (text, expected) => {
  expect(parseTime(text)).toBe(expected)
})

test.each([
  '2026-02-31',
  '2026-02-29T12:00Z',
  '2026-13-01',
  '2026-03-01T12:00',
  '2026-03-01T25:00Z',
  '2026-11-30 (x)',
  '2026-1-1',
  '2026',
  'tomorrow'
])('refuses %j', (text) => {
  expect(parseTime(text)).toBeUndefined()
})

import { describe, expect, test } from 'vitest'
import { formatHundredths, parsePercent } from '../../src/rules/percent.ts'

describe('a split', () => {
  test.each([
    ['33.34', 3334],
    [' 33,3 % ', 3330],
    ['100', 10_000],
    ['100.01', undefined],
    ['1.234', undefined],
    ['-1', undefined],
    ['', undefined]
  ])('parses %j', (text, expected) => {
    expect(parsePercent(text)).toBe(expected)
    if (expected !== undefined) expect(parsePercent(formatHundredths(expected))).toBe(expected)
  })
})

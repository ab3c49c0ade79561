import { describe, expect, test } from 'vitest'
import {
  formatChange,
  formatDifference,
  formatFigure,
  formatP,
  formatPEquation
} from '../../../../src/pages/feature/results/figures.ts'

describe('figures', () => {
  test('carry their sign and unit', () => {
    expect(formatChange(0.1234)).toBe('+12.3%')
    expect(formatFigure(0.0452, 'COUNT_PER_UNIQUE_USER')).toBe('4.52%')
    expect(formatFigure(12.3456, 'SUM_PER_UNIQUE_USER')).toBe('12.35')
    expect(formatDifference({ low: -0.01, high: 0.02 }, 'COUNT_PER_UNIQUE_USER')).toBe('-1 to +2 percentage points')
    expect([0.00001, 0.0412, 1].map(formatP)).toEqual(['< 0.0001', '0.041', '1'])
    expect([0.00001, 0.0412].map(formatPEquation)).toEqual(['p < 0.0001', 'p = 0.041'])
  })
})

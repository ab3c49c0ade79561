import { describe, expect, test } from 'vitest'
import { scaleOf } from '../../../src/components/charts/IntervalPlot.tsx'

describe('figures', () => {
  test('share a scale that has 0', () => {
    const { low, high } = scaleOf([{ low: 0.1, high: 0.3 }, null])
    expect(low).toBeLessThan(0)
    expect(high).toBeGreaterThan(0.3)
  })
})

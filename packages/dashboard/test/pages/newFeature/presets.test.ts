import { describe, expect, it } from 'vitest'
import { presets, presetTarget } from '../../../src/pages/newFeature/presets.ts'

describe('a new feature', () => {
  it.each(presets)('of type $type has shares that add up to 1', (preset) => {
    const { target } = presetTarget(preset, 'ada@example.com')
    expect(target.distribution.reduce((sum, { percentage }) => sum + percentage * 10_000, 0)).toBeCloseTo(10_000, 6)
  })
})

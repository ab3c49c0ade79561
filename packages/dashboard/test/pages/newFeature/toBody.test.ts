import { describe, expect, it } from 'vitest'
import { presetOf, presetTarget } from '../../../src/pages/newFeature/presets.ts'
import { type FeatureForm, readValue, toBody } from '../../../src/pages/newFeature/toBody.ts'

describe('a new feature', () => {
  const form: FeatureForm = { type: 'release', name: 'A', key: 'a', valueType: 'Number', values: {}, onIn: ['dev'] }

  const environments = [
    { key: 'dev', type: 'development' },
    { key: 'stage', type: 'staging' },
    { key: 'live', type: 'production' }
  ] as const

  it('has a target in each environment, and in protected ones only if it is on there', () => {
    const body = toBody(form, presetTarget(presetOf('release'), undefined), environments)
    expect(Object.entries(body.configurations ?? {}).map(([key, { status }]) => [key, status])).toEqual([
      ['dev', 'active'],
      ['stage', 'inactive']
    ])
    expect(body.variations?.map(({ variables }) => variables)).toEqual([{ a: 1 }, { a: 0 }])
  })

  it('of type release compares results with the variation that is off', () => {
    expect(toBody(form, presetTarget(presetOf('release'), undefined), environments).controlVariation).toBe(
      'variation-off'
    )
    const experiment = { ...form, type: 'experiment' } as const
    expect(toBody(experiment, presetTarget(presetOf('experiment'), undefined), [])).not.toHaveProperty(
      'controlVariation'
    )
  })

  it('refuses values that are no number or object', () => {
    expect(readValue('Number', ' ')).toHaveProperty('problem')
    expect(readValue('JSON', '[1]')).toHaveProperty('problem')
    expect(readValue('JSON', '{"a": 1}')).toEqual({ value: { a: 1 } })
  })
})

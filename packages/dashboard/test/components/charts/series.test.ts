import { describe, expect, test } from 'vitest'
import { seriesOf } from '../../../src/components/charts/series.ts'

describe('seriesOf', () => {
  test('lists unknown variations if they were evaluated', () => {
    const variations = [{ _id: '1', key: 'on', name: 'On', variables: {} }]
    const series = seriesOf([{ date: '', values: { on: 0, default: 2, '0f': 0 } }], {
      variations,
      controlVariation: 'on'
    })
    expect(series.map(({ name, total }) => [name, total])).toEqual([
      ['On', 0],
      ['The code’s default', 2]
    ])
  })
})

import { describe, expect, test } from 'vitest'
import { movementWords } from '../src/pages/home/moving.ts'
import { seriesOf } from '../src/parts/charts/series.ts'
import { statusWords } from '../src/parts/feature/statusWords.ts'

describe('movementWords', () => {
  test('names where a rollout is and ends', () => {
    expect(movementWords({ share: 0.376, trend: 'rising', end: { share: 1, date: 5 } })).toEqual({
      text: '38% → 100%',
      at: 5
    })
    expect(movementWords({ share: 0, trend: 'steady', startsAt: 3 })).toEqual({ text: 'starts', at: 3 })
  })
})

describe('statusWords', () => {
  test('rounds a share', () => {
    expect(statusWords({ status: 'partly', share: 0.3756, trend: 'rising', isFiltered: false })).toBe(
      'partly, 38% rising'
    )
  })
})

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

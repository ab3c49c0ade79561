import { describe, expect, test } from 'vitest'
import { readResultsSearch } from '../../../../../src/pages/feature/results/selection/resultsSearch.ts'

describe('the range', () => {
  test('ignores what the address does not know', () => {
    expect(readResultsSearch({ metric: 'buys', sdk: 'toaster', effect: 'much', platform: 7, from: '' })).toEqual({
      metric: 'buys',
      platform: '7'
    })
    expect(readResultsSearch({ sdk: 'client', effect: 5 })).toEqual({ sdk: 'client', effect: 5 })
  })
})

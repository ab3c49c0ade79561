import { expect, test } from 'vitest'
import { readDeliverySearch } from '../../../../src/pages/webhooks/deliveries/deliverySearch.ts'

test('an address keeps only what the page understands', () => {
  expect(readDeliverySearch({ status: 'dead', page: 3, delivery: 'abc', x: 1 })).toEqual({
    status: 'dead',
    page: 3,
    delivery: 'abc'
  })
  expect(readDeliverySearch({ status: 'lost', page: -1, delivery: '' })).toEqual({})
})

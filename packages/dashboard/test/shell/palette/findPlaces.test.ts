import { describe, expect, it } from 'vitest'
import { findPlaces } from '../../../src/shell/palette/findPlaces.ts'

const features = [
  { key: 'new-checkout', name: 'New checkout' },
  { key: 'webhook-retries', name: 'Retries' }
]

const pages = [
  { title: 'Home', to: '/o/$org/p/$project' },
  { title: 'Webhooks', to: '/o/$org/p/$project/webhooks' }
] as const

const titles = (query: string, all = features) => findPlaces(query, pages, all).map(({ title }) => title)

describe('the palette', () => {
  it('lists the pages without a query', () => {
    expect(titles('')).toEqual(['Home', 'Webhooks'])
    expect(titles(' ')).toEqual(['Home', 'Webhooks'])
  })

  it('finds pages and features by all words of a query, in names and keys', () => {
    expect(titles('webhook')).toEqual(['Webhooks', 'Retries'])
    expect(titles('checkout NEW')).toEqual(['New checkout'])
    expect(titles('nothing')).toEqual([])
  })

  it('lists at most ten features', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ key: `item-${index}`, name: `Item ${index}` }))
    expect(titles('item', many)).toHaveLength(10)
  })
})

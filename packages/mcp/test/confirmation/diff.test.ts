import { expect, it } from 'vitest'
import { diff } from '../../src/plan/diff/diff.ts'
import { valueNode } from '../../src/plan/diff/diffNode.ts'

const many = Array.from({ length: 100 }, (_, index) => `user-${index}`)
const audience = (values: readonly string[]) => ({
  filters: { operator: 'and', filters: [{ type: 'user', subType: 'user_id', comparator: '=', values }] }
})

it.each([
  [
    'what was added at the end',
    [...many, 'eve'],
    [{ path: 'audience.filters.filters[0].values (added)', to: ['eve'] }]
  ],
  ['what went', many.slice(1), [{ path: 'audience.filters.filters[0].values (removed)', from: ['user-0'] }]],
  [
    'the order',
    [...many].reverse(),
    [{ path: 'audience.filters.filters[0].values (order)', from: many, to: [...many].reverse() }]
  ]
])('shows of long values %s', (_, values, expected) => {
  const changes = diff(valueNode(audience(many)), valueNode(audience(values)), { path: 'audience' })
  expect(changes.map(({ label: _, ...change }) => change)).toEqual(expected)
})

import { describe, expect, test } from 'vitest'
import { type Condition, newCondition, withValues } from '../../src/rules/conditions.ts'
import { toOperator, toTree } from '../../src/rules/tree.ts'

const country = (...values: string[]): Condition =>
  withValues(newCondition({ kind: 'user', subType: 'country' }), values)

describe('a tree of filters', () => {
  test('returns the filters from which it was created', () => {
    const filters = {
      operator: 'or',
      filters: [{ type: 'all' }, { operator: 'and', filters: [country('CA').filter, { operator: 'or', filters: [] }] }]
    }
    expect(toOperator(toTree(filters))).toEqual(filters)
  })
})

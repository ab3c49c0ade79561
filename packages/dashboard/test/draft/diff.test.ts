import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diff, diffConfigurations } from '../../src/draft/diff.ts'
import { isSame, type Path, valueAt } from '../../src/draft/structure.ts'
import { version } from '../support/featureVersions.ts'

const order = (value: unknown, path: Path) => (valueAt(value, path) as { _id: string }[]).map(({ _id }) => _id)

describe('diff', () => {
  test('finds a change exactly where versions differ, apart from the order of sets', () => {
    fc.assert(
      fc.property(version, version, (before, after) => {
        const sorted = (value: unknown): unknown =>
          JSON.parse(JSON.stringify(value), (name, item) =>
            name === 'values' || name === 'tags' ? [...item].sort() : item
          )
        expect(diff(before, after).length === 0).toBe(isSame(sorted(before), sorted(after)))
      })
    )
  })

  test('matches targets by id and values as sets', () => {
    const target = (_id: string, ...values: string[]) => ({
      _id,
      audience: {
        filters: { operator: 'and', filters: [{ type: 'user', subType: 'email', comparator: '=', values }] }
      },
      distribution: [{ _variation: 'on', percentage: 1 }]
    })
    const before = { status: 'active' as const, targets: [target('1', 'a'), target('2', 'b'), target('3', 'c')] }
    const after = { status: 'inactive' as const, targets: [target('2', 'b', 'd'), target('1', 'a'), target('4', 'x')] }
    expect(diffConfigurations(before, after)).toEqual([
      { kind: 'changed', path: ['status'], before: 'active', after: 'inactive' },
      { kind: 'removed', path: ['targets', '3'], before: before.targets[2] },
      { kind: 'moved', path: ['targets', '1'], from: 0, to: 1 },
      {
        kind: 'values',
        path: ['targets', '2', 'audience', 'filters', 'filters', 0, 'values'],
        added: ['d'],
        removed: []
      },
      { kind: 'added', path: ['targets', '4'], after: after.targets[2] }
    ])
    expect(order(after, ['targets'])).toEqual(['2', '1', '4'])
  })

  test('leaves out what the server sets', () => {
    const before = { name: 'A', updatedAt: '2026-03-01T12:00:00.000Z', readonly: false }
    expect(diff(before, { name: 'B', updatedAt: '2026-03-02T12:00:00.000Z', readonly: true })).toEqual([
      { kind: 'changed', path: ['name'], before: 'A', after: 'B' }
    ])
  })
})

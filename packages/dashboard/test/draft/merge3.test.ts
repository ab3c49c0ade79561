import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diff } from '../../src/draft/diff.ts'
import { merge3 } from '../../src/draft/merge3.ts'
import { isSame, type Path, valueAt } from '../../src/draft/structure.ts'
import { version } from '../support/featureVersions.ts'

const covers = (conflict: Path, path: Path) =>
  conflict.every((segment, index) => path[index] === segment) ||
  path.every((segment, index) => conflict[index] === segment)

describe('merge3', () => {
  test('never drops a change of either side silently', () => {
    fc.assert(
      fc.property(version, version, version, (base, theirs, mine) => {
        const merge = merge3<unknown>(base, theirs, mine)
        const conflicts = merge.type === 'conflicts' ? merge.conflicts : []
        const choices = Object.fromEntries(conflicts.map(({ id }) => [id, 'mine' as const]))
        const resolved = merge3<unknown>(base, theirs, mine, choices)
        if (resolved.type !== 'merged') throw new Error('conflicts remain after a choice for each')
        for (const [side, isMine] of [
          [theirs, false],
          [mine, true]
        ] as const) {
          for (const change of diff(base, side)) {
            if (!isMine && conflicts.some(({ path }) => covers(path, change.path))) continue
            const result = valueAt(resolved.value, change.path)
            if (change.kind === 'values') {
              expect(result ?? []).toEqual(expect.arrayContaining([...change.added]))
              expect(change.removed.some((value) => (result as unknown[] | undefined)?.includes(value))).toBe(false)
            } else if (change.kind !== 'moved') {
              const other = isMine ? theirs : mine
              const expected = change.kind === 'removed' ? undefined : change.after
              // Inside of what one side added or changed, the other side may have changed more.
              if (isSame(valueAt(other, change.path), valueAt(base, change.path)))
                expect(isSame(result, expected)).toBe(true)
              else if (conflicts.length === 0 && change.kind === 'removed') expect(result).toBeUndefined()
            }
          }
        }
      })
    )
  })

  test('takes the other side where one changed nothing, and is symmetric about conflicts', () => {
    fc.assert(
      fc.property(version, version, version, (base, theirs, mine) => {
        expect(merge3(base, theirs, base)).toEqual({ type: 'merged', value: theirs })
        expect(merge3(base, base, mine)).toEqual({ type: 'merged', value: mine })
        expect(merge3<unknown>(base, theirs, mine).type).toBe(merge3<unknown>(base, mine, theirs).type)
      })
    )
  })

  const targets = (...list: [id: string, name: string][]) => ({ targets: list.map(([_id, name]) => ({ _id, name })) })
  test.each<[string, unknown, unknown, unknown, unknown]>([
    ['members', { a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 2 }, { a: 2, b: 2 }],
    ['sets', { values: ['a', 'b'] }, { values: ['b', 'c'] }, { values: ['a', 'b', 'd'] }, { values: ['b', 'c', 'd'] }],
    [
      'an edit and a move',
      targets(['1', 'x'], ['2', 'y']),
      targets(['2', 'y'], ['1', 'x']),
      targets(['1', 'z'], ['2', 'y']),
      targets(['2', 'y'], ['1', 'z'])
    ],
    [
      'additions',
      targets(['1', 'x']),
      targets(['1', 'x'], ['2', 'y']),
      { targets: [{ name: 'new' }, { _id: '1', name: 'x' }] },
      { targets: [{ name: 'new' }, { _id: '1', name: 'x' }, { _id: '2', name: 'y' }] }
    ],
    [
      'a removal and an edit elsewhere',
      targets(['1', 'x'], ['2', 'y']),
      targets(['2', 'y']),
      targets(['1', 'x'], ['2', 'z']),
      targets(['2', 'z'])
    ]
  ])('combines %s', (_, base, theirs, mine, value) => {
    expect(merge3(base, theirs, mine)).toEqual({ type: 'merged', value })
  })

  test.each<[string, unknown, unknown, unknown, Path]>([
    ['one member', { a: 1 }, { a: 2 }, { a: 3 }, ['a']],
    [
      'a removal and an edit',
      targets(['1', 'x'], ['2', 'y']),
      targets(['2', 'y']),
      targets(['1', 'z'], ['2', 'y']),
      ['targets', '1']
    ],
    [
      'halves of a split',
      { distribution: [{ _variation: 'a', percentage: 1 }] },
      { distribution: [] },
      { distribution: [{ _variation: 'b', percentage: 1 }] },
      ['distribution']
    ],
    [
      'a comparator and its values',
      { filters: [{ comparator: '=', values: ['a'] }] },
      { filters: [{ comparator: '!=', values: ['a'] }] },
      { filters: [{ comparator: '=', values: ['b'] }] },
      ['filters', 0]
    ],
    [
      'two orders',
      targets(['1', 'x'], ['2', 'y'], ['3', 'z']),
      targets(['2', 'y'], ['1', 'x'], ['3', 'z']),
      targets(['1', 'x'], ['3', 'z'], ['2', 'y']),
      ['targets']
    ],
    [
      'members of a JSON value',
      { variables: { layout: { a: 1, b: 1 } } },
      { variables: { layout: { a: 2, b: 1 } } },
      { variables: { layout: { a: 1, b: 2 } } },
      ['variables', 'layout']
    ]
  ])('reports %s, and takes the chosen side', (_, base, theirs, mine, path) => {
    const merge = merge3(base, theirs, mine)
    if (merge.type !== 'conflicts') throw new Error('merged silently')
    expect(merge.conflicts.map((conflict) => conflict.path)).toEqual([path])
    const id = merge.conflicts[0]?.id ?? ''
    expect(merge3(base, theirs, mine, { [id]: 'mine' })).toEqual({ type: 'merged', value: mine })
    expect(merge3(base, theirs, mine, { [id]: 'theirs' })).toEqual({ type: 'merged', value: theirs })
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ShardedMap } from '../../src/lib/shardedMap.ts'
import type { StoredVariable } from '../../src/storage/resources/feature.ts'
import type { ItemMatch } from '../../src/storage/store.ts'
import { runQuery } from '../../src/storage/tables/runQuery.ts'
import { buildTable, findItem, findMatching, putItem, removeItem, type Table } from '../../src/storage/tables/table.ts'
import { testVariable } from './conformance/fixtures.ts'

test('a sharded map behaves like a Map at every size, and older versions are immutable', () => {
  const model = new Map<string, number>()
  let shards = ShardedMap.from<number>(new Map())
  const older: [ShardedMap<number>, number][] = []
  const sizes = [16, 17, 2_048, 2_049, 5_000]
  for (let number = 0; number < 5_000; number++) {
    model.set(`key ${number}`, number)
    shards = shards.with(`key ${number}`, number)
    if (sizes.includes(model.size)) older.push([shards, model.size])
  }
  for (const [key] of model) {
    if (key.endsWith('7')) continue
    model.delete(key)
    shards = shards.without(key).without(key)
  }
  expect(shards.size).toBe(model.size)
  expect([...shards.values()].sort()).toEqual([...model.values()].sort())
  expect([shards.get('key 7'), shards.get('key 8'), shards.get('')]).toEqual([7, undefined, undefined])
  for (const [shards, size] of older) {
    expect(shards.size).toBe(size)
    expect([...shards.values()].sort((one, other) => one - other)).toEqual(Array.from({ length: size }, (_, at) => at))
  }
})

test('a table query equals a scan of its items after any writes', () => {
  // Few values, so that groups overlap; some could be confused in an encoding.
  const value = fc.constantFrom('a', 'b', 'undefined', '__proto__', '')
  const feature = fc.option(value, { nil: undefined })
  const step = fc.record({
    _id: fc.integer({ min: 0, max: 30 }),
    _project: value,
    _feature: feature,
    isGone: fc.boolean()
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.array(step, { maxLength: 40 }), (before, steps) => {
      const items = new Map(before.map((one) => [String(one._id), itemOf(one)]))
      let table = buildTable('variables', items.values())
      for (const one of steps) {
        const item = itemOf(one)
        const known = items.get(item._id)
        if (!one.isGone) table = putItem(table, item)
        else if (known) table = removeItem(table, known)
        if (one.isGone) items.delete(item._id)
        else items.set(item._id, item)
      }
      for (const { groups } of table.secondaryIndexes) {
        expect([...groups.values()].reduce((sum, { size }) => sum + size, 0)).toBe(items.size)
        expect([...groups.values()].every(({ size }) => size > 0)).toBe(true)
      }
      for (const _project of ['a', 'b', 'undefined', 'none']) {
        expectWalk(table, { _project })
        for (const _feature of ['a', 'undefined', '__proto__', '']) {
          expectWalk(table, { _feature })
          expectWalk(table, { _feature, _project })
        }
      }
    })
  )
})

test('a page has the items that it has in a list of all', () => {
  const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 })
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 5 }), fc.constantFrom('asc', 'desc'), (all, perPage, sortOrder) => {
      const items = all.map((name, number) => testVariable({ _id: String(number), key: String(number), name }))
      const table = buildTable('variables', items)
      const query = { sortBy: 'name', sortOrder } as const
      const sorted = runQuery(table, query).items
      expect(sorted).toHaveLength(items.length)
      for (let page = 1; page <= items.length / perPage + 2; page++) {
        const expected = sorted.slice((page - 1) * perPage, page * perPage)
        expect(runQuery(table, { ...query, page, perPage })).toEqual({ items: expected, count: items.length })
      }
    })
  )
})

function itemOf({ _id, _project, _feature }: { _id: number; _project: string; _feature: string | undefined }) {
  return testVariable({ _id: String(_id), key: String(_id), _project, ...(_feature !== undefined && { _feature }) })
}

function expectWalk(table: Table<StoredVariable>, match: ItemMatch<StoredVariable>): void {
  const members = Object.entries(match)
  const walked = [...table.items.values()].filter((item) =>
    // A query has members of an item.
    members.every(([member, value]) => item[member as keyof StoredVariable] === value)
  )
  const ids = (items: Iterable<StoredVariable>) => [...items].map(({ _id }) => _id).sort()
  expect(ids(findMatching(table, match))).toEqual(ids(walked))
  expect(findItem(table, match)?._id).toBe(ids(walked)[0])
}

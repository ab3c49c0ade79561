import { conditionsOf } from './condition.ts'
import type { Page, Query } from './store.ts'
import { type Item, matching, type Table } from './table.ts'

/** The page of a table's items that a query asks for. */
export function select<T extends Item>(table: Table<T>, query: Query<T> = {}): Page<T> {
  const { where = {}, page = 1, perPage } = query
  const conditions = conditionsOf(query)
  const found: T[] = []
  for (const item of matching(table, where)) if (conditions.every((holds) => holds(item))) found.push(item)
  found.sort(order(query))
  const size = perPage ?? found.length
  return { items: found.slice((page - 1) * size, page * size), count: found.length }
}

function order<T extends Item>({ sortBy = '_id', sortOrder = 'asc' }: Query<T>): (one: T, other: T) => number {
  const sign = sortOrder === 'asc' ? 1 : -1
  return (one, other) => compare(one[sortBy], other[sortBy], sign) || compare(one._id, other._id, 1)
}

/** Numbers by size, strings by code unit; what an item does not have comes last in either direction. */
function compare(one: unknown, other: unknown, sign: 1 | -1): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
  if (typeof one === 'number' && typeof other === 'number') return sign * (one - other)
  if (typeof one !== 'string' || typeof other !== 'string' || one === other) return 0
  return one < other ? -sign : sign
}

import type { Page, Query } from '../store.ts'
import { toPredicates } from './predicates.ts'
import { findMatching, type Item, type Table } from './table.ts'

/** Returns the page of items that a query selects. */
export function runQuery<T extends Item>(table: Table<T>, query: Query<T> = {}): Page<T> {
  const { where = {}, oneOf = {}, firstOf, page = 1, perPage } = query
  const conditions = toPredicates(query)
  const order = toOrder(query)
  const matching: T[] = []
  for (const item of findMatching(table, where, oneOf)) {
    if (conditions.every((holds) => holds(item))) matching.push(item)
  }
  const found = firstOf === undefined ? matching : firstOfEach(matching, firstOf, order)
  const size = perPage ?? found.length
  return { items: takeFirst(found, page * size, order).slice((page - 1) * size), count: found.length }
}

/** Returns the first item, in an order, of those with the same value of a member. */
function firstOfEach<T>(items: readonly T[], member: keyof T, order: Order<T>): readonly T[] {
  const first = new Map<T[keyof T], T>()
  for (const item of items) {
    const other = first.get(item[member])
    if (other === undefined || order(item, other) < 0) first.set(item[member], item)
  }
  return [...first.values()]
}

/** Returns the first items in an order. Sorting all of them would hold the event loop when there are many. */
function takeFirst<T>(items: readonly T[], count: number, order: Order<T>): readonly T[] {
  const first: T[] = []
  let bound: T | undefined
  for (const item of items) {
    if (bound !== undefined && order(item, bound) >= 0) continue
    first.push(item)
    if (first.length < 2 * count) continue
    first.sort(order).length = count
    bound = first.at(-1)
  }
  return first.sort(order).slice(0, count)
}

function toOrder<T extends Item>({ sortBy = '_id', thenBy = sortBy, sortOrder = 'asc', missing }: Query<T>): Order<T> {
  const sign = sortOrder === 'asc' ? 1 : -1
  const absence = missing === 'lowest' ? -sign : 1
  const by = (member: keyof T, one: T, other: T) => compare(one[member], other[member], sign, absence)
  return (one, other) => by(sortBy, one, other) || by(thenBy, one, other) || compare(one._id, other._id, 1, 1)
}

type Order<T> = (one: T, other: T) => number

/** Compares numbers by size, strings by code unit; missing values are last if `absence` is 1, and first if it is -1. */
function compare(one: unknown, other: unknown, sign: number, absence: number): number {
  if (one === undefined || other === undefined) {
    return absence * (Number(one === undefined) - Number(other === undefined))
  }
  if (typeof one === 'number' && typeof other === 'number') return sign * (one - other)
  if (typeof one !== 'string' || typeof other !== 'string' || one === other) return 0
  return one < other ? -sign : sign
}

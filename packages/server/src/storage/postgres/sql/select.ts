import { type Resources, uniqueKeys } from '../../resources/collections.ts'
import type { ItemMatch, Query } from '../../store.ts'
import { memberJson, tableOf } from '../schema/tableNames.ts'
import { formatConditions, formatMatch } from './conditions.ts'
import { Values } from './statement.ts'

/** A statement and its values. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Returns the statement that selects the item of a match with the lowest `_id`. */
export function selectFirst<K extends keyof Resources>(name: K, match: ItemMatch<Resources[K]>): Statement {
  const values = new Values()
  const rows = `from ${tableOf(name)} where ${joined(formatMatch(match, values))}`
  const isUnique =
    match._id !== undefined || uniqueKeys[name].some((key) => key.every((member) => match[member] !== undefined))
  const text = isUnique
    ? `select data ${rows}`
    : // `offset 0` keeps the index of the condition in use: with the limit, the planner would prefer the order of `id`.
      `select data from (select id, data ${rows} offset 0) as matching order by id limit 1`
  return { text, values: values.list }
}

/** Returns the statement that deletes the item with an id, and returns it. */
export function deleteItem(name: keyof Resources, _id: string): Statement {
  const values = new Values()
  return {
    text: `delete from ${tableOf(name)} where ${joined(formatMatch({ _id }, values))} returning data`,
    values: values.list
  }
}

/** Returns the statement that selects all items of a query, in its order. */
export function selectAll<K extends keyof Resources>(name: K, query: Query<Resources[K]>): Statement {
  const values = new Values()
  const { rows, order } = matchingRows(name, query, 'data', values)
  return { text: `select data from (${rows}) as matching order by ${order}`, values: values.list }
}

/**
 * Returns the statement that selects the page of a query. Rows have the number of items on all pages as `count`. Sorts
 * ids, since items are large, and reads the items of the page afterwards.
 */
export function selectPage<K extends keyof Resources>(
  name: K,
  { page = 1, perPage, ...query }: Query<Resources[K]> & { readonly perPage: number }
): Statement {
  const values = new Values()
  const { rows, order } = matchingRows(name, query, undefined, values)
  const ranked = `select id, row_number() over (order by ${order}) as place, count(*) over () as count from (${rows}) as matching`
  const limit = `limit ${values.add(perPage)} offset ${values.add((page - 1) * perPage)}`
  const text = `select data, count from (${ranked} order by place ${limit}) as page join ${tableOf(name)} using (id) order by place`
  return { text, values: values.list }
}

/** Returns the statement that counts the items of a query. */
export function selectCount<K extends keyof Resources>(name: K, query: Query<Resources[K]>): Statement {
  const values = new Values()
  const text = `select count(*) as count from ${tableOf(name)} where ${joined(formatConditions(query, values))}`
  return { text, values: values.list }
}

/** Returns a selection of the matching rows with the values that they are sorted by, and the order. */
function matchingRows<K extends keyof Resources>(
  name: K,
  query: Query<Resources[K]>,
  column: 'data' | undefined,
  values: Values
): { readonly rows: string; readonly order: string } {
  const { sortBy = '_id', thenBy = sortBy } = query
  const sorted = [...new Set([sortBy, thenBy])].filter((member) => member !== '_id')
  const columns = [
    'id',
    ...(column ? [column] : []),
    ...sorted.map((member, at) => `${memberJson(member)} as sort${at}`)
  ]
  const conditions = joined(formatConditions(query, values))
  const direction = sortBy === '_id' ? directionOf(query) : 'asc'
  return {
    // `offset 0` makes the database extract the members once, and not at each use in the order.
    rows: `select ${columns.join(', ')} from ${tableOf(name)} where ${conditions} offset 0`,
    order: [...sorted.flatMap((_, at) => formatOrder(`sort${at}`, query)), `id ${direction}`].join(', ')
  }
}

function joined(conditions: readonly string[]): string {
  return conditions.length > 0 ? conditions.join(' and ') : 'true'
}

/**
 * Orders by a member: numbers by size, strings by code point, which PostgreSQL compares bytewise with the collation "C".
 * Other values are ties.
 */
function formatOrder(column: string, query: Pick<Query<unknown>, 'sortOrder' | 'missing'>): readonly string[] {
  const direction = directionOf(query)
  const text = `${column} #>> '{}'`
  const lowest = direction === 'asc' ? 'desc' : 'asc'
  return [
    // False sorts before true.
    `${column} is null ${query.missing === 'lowest' ? lowest : 'asc'}`,
    `case json_typeof(${column}) when 'number' then (${text})::numeric end ${direction} nulls last`,
    `case json_typeof(${column}) when 'string' then ${text} end collate "C" ${direction} nulls last`
  ]
}

function directionOf({ sortOrder = 'asc' }: Pick<Query<unknown>, 'sortOrder'>): 'asc' | 'desc' {
  return sortOrder === 'desc' ? 'desc' : 'asc'
}

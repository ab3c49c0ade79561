import { type Resources, uniqueKeys } from '../../resources/collections.ts'
import type { ItemMatch, Query } from '../../store.ts'
import { isStorableText } from '../../validateStorableJson.ts'
import { memberJson, memberText, tableOf } from '../schema/tableNames.ts'
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

/** Returns the statement that selects the ids of all items of a query, in its order. */
export function selectIds<K extends keyof Resources>(name: K, query: Query<Resources[K]>): Statement {
  const values = new Values()
  const { rows, order } = matchingRows(name, query, undefined, values)
  return { text: `select id from (${rows}) as matching order by ${order}`, values: values.list }
}

/** Returns the statement that selects the items with some ids, in their order, whose text contains a hint. */
export function selectByIds(name: keyof Resources, ids: readonly string[], hint: readonly string[] = []): Statement {
  const values = new Values()
  const wanted = `unnest(${values.add(ids)}::text[]) with ordinality as wanted (id, place)`
  const hints = hint.filter(isStorableText).map((text) => values.add(text.toLowerCase()))
  const found = hints.map((text) => `strpos(lower(data::text collate "und-x-icu"), ${text}) > 0`)
  const condition = hint.length === 0 ? 'true' : found.join(' or ') || 'false'
  return {
    text: `select data from ${tableOf(name)} join ${wanted} using (id) where ${condition} order by place`,
    values: values.list
  }
}

/** Returns the statement that counts the items of a query. */
export function selectCount<K extends keyof Resources>(name: K, query: Query<Resources[K]>): Statement {
  const values = new Values()
  const rows = `from ${tableOf(name)} where ${joined(formatConditions(query, values))}`
  const { firstOf } = query
  const text =
    firstOf === undefined
      ? `select count(*) as count ${rows}`
      : `select count(*) as count from (select 1 ${rows} group by ${memberText(firstOf)}) as groups`
  return { text, values: values.list }
}

/** Returns a selection of the matching rows with the values that they are sorted by, and the order. */
function matchingRows<K extends keyof Resources>(
  name: K,
  query: Query<Resources[K]>,
  column: 'data' | undefined,
  values: Values
): { readonly rows: string; readonly order: string } {
  const { sortBy = '_id', thenBy = sortBy, firstOf } = query
  const sorted = [...new Set([sortBy, thenBy])].filter((member) => member !== '_id')
  const columns = [
    'id',
    ...(column ? [column] : []),
    ...sorted.map((member, at) => `${memberJson(member)} as sort${at}`),
    ...(firstOf === undefined ? [] : [`${memberText(firstOf)} as first_of`])
  ]
  const conditions = joined(formatConditions(query, values))
  const direction = sortBy === '_id' ? directionOf(query) : 'asc'
  // `offset 0` makes the database extract the members once, and not at each use in the order.
  const rows = `select ${columns.join(', ')} from ${tableOf(name)} where ${conditions} offset 0`
  const order = [...sorted.flatMap((_, at) => formatOrder(`sort${at}`, query)), `id ${direction}`].join(', ')
  if (firstOf === undefined) return { rows, order }
  return { rows: `select distinct on (first_of) * from (${rows}) as all_rows order by first_of, ${order}`, order }
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

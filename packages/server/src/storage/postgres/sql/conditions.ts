import type { ItemMatch, Query } from '../../store.ts'
import { isStorableText } from '../../validateStorableJson.ts'
import { keyOf, keyType, memberJson, memberKey, memberText } from '../schema/tableNames.ts'
import type { Values } from './statement.ts'

/** Formats the conditions that `where` of a query or a match states. */
export function formatMatch<T>(match: ItemMatch<T>, values: Values): readonly string[] {
  return Object.entries(match).map(([member, value]) => formatEquality(member, value, values))
}

/** Formats all conditions of a query. They select the items that `toPredicates` selects in memory. */
export function formatConditions<T>(query: Query<T>, values: Values): readonly string[] {
  const { where = {}, oneOf = {}, including = {}, between, search } = query
  return [
    ...formatMatch(where, values),
    ...Object.entries<readonly unknown[]>(oneOf as Record<string, readonly unknown[]>).map(([member, options]) =>
      formatOneOf(member, options, values)
    ),
    ...Object.entries(including).map(([member, element]) => formatIncluding(member, element, values)),
    ...(between ? formatBetween(between, values) : []),
    ...(search ? [formatSearch(search, values)] : [])
  ]
}

/** No item has a text that cannot be stored, and the database refuses a statement with one. */
function formatEquality(member: string, value: unknown, values: Values): string {
  if (typeof value === 'string' && !isStorableText(value)) return 'false'
  if (member === '_id') return `id = ${values.add(value)}`
  if (value === undefined) return `${memberJson(member)} is null`
  if (typeof value === 'string') return `${memberKey(member)} = ${values.add(keyOf(member, value))}`
  const type = value === null ? 'null' : typeof value
  // Only values without parts are equal to others.
  if (type === 'object') return 'false'
  // The stored text is the one that `JSON.stringify` returns.
  return `(${isOfType(member, type)} and ${memberJson(member)}::text = ${values.add(JSON.stringify(value))})`
}

function formatOneOf(member: string, options: readonly unknown[], values: Values): string {
  const texts = options.filter((option) => typeof option === 'string').filter(isStorableText)
  const others = options.filter((option) => typeof option !== 'string')
  const name = member === '_id' ? 'id' : memberKey(member)
  const keys = texts.map((text) => keyOf(member, text))
  const parts = [
    ...(texts.length > 0 ? [`${name} = any(${values.add(keys)}::${keyType(member)}[])`] : []),
    ...others.map((option) => formatEquality(member, option, values))
  ]
  return parts.length > 0 ? `(${parts.join(' or ')})` : 'false'
}

function formatIncluding(member: string, element: unknown, values: Values): string {
  if (typeof element === 'string' && !isStorableText(element)) return 'false'
  const list = `case when ${isOfType(member, 'array')} then ${memberJson(member)}::jsonb end`
  return `(${list}) @> ${values.add(JSON.stringify([element]))}::jsonb`
}

function formatBetween<T>({ member, from, to }: NonNullable<Query<T>['between']>, values: Values): readonly string[] {
  const text = member === '_id' ? 'id' : `${memberText(member)} collate "C"`
  return [
    ...(member === '_id' ? [] : [isOfType(member, 'string')]),
    ...(from === undefined ? [] : [`${text} >= ${values.add(from)}`]),
    ...(to === undefined ? [] : [`${text} <= ${values.add(to)}`])
  ]
}

/** The comparison ignores case by the rules of Unicode, as `toLowerCase` does, regardless of the locale of the database. */
function formatSearch<T>({ text, in: members }: NonNullable<Query<T>['search']>, values: Values): string {
  if (!isStorableText(text)) return 'false'
  const wanted = values.add(text.toLowerCase())
  const isFound = (value: string) => `strpos(lower(${value} collate "und-x-icu"), ${wanted}) > 0`
  const conditions = members.map((member) => {
    const elements = `json_array_elements(case when ${isOfType(member, 'array')} then ${memberJson(member)} else '[]' end)`
    return `case ${typeOf(member)} when 'string' then ${isFound(memberText(member))} when 'array' then exists(select 1 from ${elements} as element where json_typeof(element) = 'string' and ${isFound("(element #>> '{}')")}) else false end`
  })
  return `(${conditions.join(' or ')})`
}

function typeOf(member: string): string {
  return `json_typeof(${memberJson(member)})`
}

function isOfType(member: string, type: string): string {
  return `${typeOf(member)} = '${type}'`
}

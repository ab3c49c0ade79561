import type { Query } from '../store.ts'

/** A condition of a query. */
export type Predicate<T> = (item: T) => boolean

/** Returns the conditions of a query besides its `where`. */
export function toPredicates<T>({ oneOf = {}, including = {}, between, search }: Query<T>): readonly Predicate<T>[] {
  return [
    ...fieldsOf(oneOf).map((member) => isOneOf(member, new Set<unknown>(oneOf[member]))),
    ...fieldsOf(including).map((member) => includes(member, including[member])),
    ...(between ? [isBetween(between)] : []),
    ...(search ? [contains(search)] : [])
  ]
}

function isOneOf<T>(member: keyof T, values: ReadonlySet<unknown>): Predicate<T> {
  return (item) => values.has(item[member])
}

function includes<T>(member: keyof T, element: unknown): Predicate<T> {
  return (item) => {
    const value = item[member]
    return Array.isArray(value) && value.includes(element)
  }
}

function isBetween<T>({ member, from, to }: NonNullable<Query<T>['between']>): Predicate<T> {
  return (item) => {
    const value = item[member]
    return typeof value === 'string' && (from === undefined || value >= from) && (to === undefined || value <= to)
  }
}

function contains<T>(search: NonNullable<Query<T>['search']>): Predicate<T> {
  const text = search.text.toLowerCase()
  const isFound = (value: unknown) => typeof value === 'string' && value.toLowerCase().includes(text)
  return (item) =>
    search.in.some((member) => {
      const value = item[member]
      return Array.isArray(value) ? value.some(isFound) : isFound(value)
    })
}

/** The keys of an object whose members are all members of an item. */
function fieldsOf<T>(part: { readonly [M in keyof T]?: unknown }): readonly (keyof T)[] {
  return Object.keys(part) as (keyof T)[]
}

/** The members that a query compares or sorts by. */
export function membersOf<T>({
  where,
  oneOf,
  including,
  between,
  search,
  sortBy,
  thenBy,
  firstOf
}: Query<T>): readonly string[] {
  const named = [between?.member, ...(search?.in ?? []), sortBy, thenBy, firstOf]
  return [where, oneOf, including]
    .flatMap((part) => Object.keys(part ?? {}))
    .concat(named.filter((one) => one !== undefined))
}

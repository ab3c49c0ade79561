import { isRecord } from '@burgee/kit'
import type { Attribute, ScimObject } from './attribute.ts'
import { type AttributePath, comparedAttribute, type Filter, type Operator } from './filter.ts'

/** Whether a resource, or a value of a complex attribute, matches a filter. */
export function matchesFilter(object: ScimObject, filter: Filter): boolean {
  switch (filter.type) {
    case 'and':
      return filter.filters.every((one) => matchesFilter(object, one))
    case 'or':
      return filter.filters.some((one) => matchesFilter(object, one))
    case 'not':
      return !matchesFilter(object, filter.filter)
    case 'some':
      return valuesOf(object[filter.attribute.name]).some((value) => {
        return isRecord(value) && matchesFilter(value, filter.filter)
      })
    case 'present':
      return valuesAt(object, filter.path).some((value) => value !== '')
    case 'compare':
      return matchesComparison(object, filter)
  }
}

/** The values of an attribute or sub-attribute; of a complex attribute, those of its sub-attribute `value`. */
export function valuesAt(object: ScimObject, path: AttributePath): readonly unknown[] {
  const [{ name }, subAttribute] = path
  const compared = comparedAttribute(path)
  const values = valuesOf(object[name])
  if (!subAttribute && compared.name === name) return values
  return values.flatMap((value) => (isRecord(value) ? valuesOf(value[compared.name]) : []))
}

function valuesOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function matchesComparison(
  object: ScimObject,
  { path, operator, value }: Extract<Filter, { readonly type: 'compare' }>
): boolean {
  const values = valuesAt(object, path)
  if (value === null) return (values.length === 0) === (operator === 'eq')
  const attribute = comparedAttribute(path)
  const expected = toComparable(value, attribute)
  const isNegated = operator === 'ne'
  const matches = values.some((one) => compare(toComparable(one, attribute), isNegated ? 'eq' : operator, expected))
  return matches !== isNegated
}

type Comparable = string | number | boolean

/** Folds the case of strings, unless the attribute is case-sensitive, and converts dates to milliseconds. */
export function toComparable(value: unknown, { type, caseExact }: Attribute): Comparable {
  if (type === 'boolean') return typeof value === 'string' ? value.toLowerCase() === 'true' : value === true
  const text = String(value)
  const time = type === 'dateTime' ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return time
  return caseExact ? text : text.toLowerCase()
}

function compare(one: Comparable, operator: Operator, other: Comparable): boolean {
  switch (operator) {
    case 'eq':
    case 'ne':
      return (one === other) === (operator === 'eq')
    case 'co':
      return String(one).includes(String(other))
    case 'sw':
      return String(one).startsWith(String(other))
    case 'ew':
      return String(one).endsWith(String(other))
    case 'gt':
      return one > other
    case 'ge':
      return one >= other
    case 'lt':
      return one < other
    case 'le':
      return one <= other
  }
}

import { UserFilter } from '@burgee/contract/schemas'
import type { Filter } from '@burgee/core'
import type { ValueType } from './properties.ts'

const checked = new WeakMap<Filter, ReadonlySet<number>>()

/**
 * Returns the indexes of the values that the contract's schema refuses in a filter on a user property. Filters of a draft
 * never change; the result is kept, because the row and the validation of the draft both ask, for up to 10,000 values.
 */
export function invalidValues(filter: Filter): ReadonlySet<number> {
  const known = checked.get(filter)
  if (known) return known
  const indexes = new Set<number>()
  const { error } = UserFilter.safeParse(filter)
  for (const { path } of error?.issues ?? []) {
    const [member, index] = path
    if (member === 'values' && typeof index === 'number') indexes.add(index)
  }
  checked.set(filter, indexes)
  return indexes
}

/** Returns the values that the contract's schema refuses for a value type, as indexes. */
export function invalidOfType(valueType: ValueType, values: readonly unknown[]): ReadonlySet<number> {
  const filter = sampleFilters[valueType]
  return filter ? invalidValues({ ...filter, values }) : new Set()
}

/** Returns the message at a value that is refused: what is wrong, and what would be right. */
export function wantedValue(valueType: ValueType, value: unknown): string {
  if (value === '') return 'must not be empty'
  switch (valueType) {
    case 'country':
      return `“${value}” is not an ISO 3166 code in upper case, such as CA`
    case 'version':
      return `“${value}” is not a version: enter one such as 1.2.3`
    case 'number':
      return `“${value}” is not a number: enter one such as 12.5`
    case 'boolean':
      return `“${value}” must be true or false`
    default:
      return `“${value}” must be text`
  }
}

const user = { type: 'user', comparator: '=' } as const
const custom = { ...user, subType: 'customData', dataKey: 'key' } as const
const sampleFilters: Partial<Record<ValueType, Filter>> = {
  text: { ...user, subType: 'email' },
  country: { ...user, subType: 'country' },
  version: { ...user, subType: 'appVersion' },
  number: { ...custom, dataKeyType: 'Number' },
  boolean: { ...custom, dataKeyType: 'Boolean' }
}

import type { Filter } from '@burgee/core'
import { type Property, type ValueType, valueTypeOf } from './properties.ts'

/** An entry of the comparator control. */
export interface ComparatorChoice {
  readonly comparator: string
  readonly label: string
  /** Whether the entry is behind "more". */
  readonly isFolded: boolean
}

const known = [
  { comparator: 'exist', label: 'exists' },
  { comparator: '!exist', label: 'does not exist' }
]
const text = [
  { comparator: '=', label: 'is any of' },
  { comparator: '!=', label: 'is none of' },
  { comparator: 'contain', label: 'contains' },
  { comparator: '!contain', label: 'does not contain' },
  { comparator: 'startWith', label: 'starts with' },
  { comparator: '!startWith', label: 'does not start with' },
  { comparator: 'endWith', label: 'ends with' },
  { comparator: '!endWith', label: 'does not end with' },
  ...known
]
const order = [
  { comparator: '=', label: '=' },
  { comparator: '!=', label: '≠' },
  { comparator: '>', label: '>' },
  { comparator: '>=', label: '≥' },
  { comparator: '<', label: '<' },
  { comparator: '<=', label: '≤' }
]
const comparators: Record<ValueType, readonly { readonly comparator: string; readonly label: string }[]> = {
  none: [],
  text,
  country: text,
  version: order,
  number: [...order, ...known],
  boolean: [{ comparator: '=', label: 'is' }, { comparator: '!=', label: 'is not' }, ...known],
  audience: [
    { comparator: '=', label: 'is in any of' },
    { comparator: '!=', label: 'is in none of' }
  ]
}

/**
 * Returns the entries of the comparator control. `current` is listed even where it is not offered, such as `exist` of a
 * version.
 */
export function comparatorChoices(property: Property, current?: string): readonly ComparatorChoice[] {
  const type = valueTypeOf(property)
  const choices = comparators[type].map((choice) => ({
    ...choice,
    isFolded: type === 'country' && /(contain|With)$/.test(choice.comparator)
  }))
  if (current === undefined || type === 'none' || choices.some(({ comparator }) => comparator === current)) {
    return choices
  }
  const label = text.find(({ comparator }) => comparator === current)?.label ?? current
  return [...choices, { comparator: current, label, isFolded: false }]
}

/** Whether a property has this comparator. */
export function hasComparator(property: Property, comparator: string): boolean {
  return comparators[valueTypeOf(property)].some((choice) => choice.comparator === comparator)
}

/** Returns the comparator of a filter. A missing one of an audience filter is `=`. */
export function comparatorOf({ type, comparator }: Filter): string | undefined {
  return type === 'audienceMatch' ? (comparator ?? '=') : comparator
}

/** Whether a comparator takes no values. */
export function hasNoValues(comparator = ''): boolean {
  return comparator.endsWith('exist')
}

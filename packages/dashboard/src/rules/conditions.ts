import type { CustomProperty } from '@burgee/contract/schemas'
import type { Filter } from '@burgee/core'
import { hasNoValues } from './comparators.ts'
import { isSameProperty, type Property, propertyOf, type ValueType, valueTypeOf } from './properties.ts'

/** A filter in the form. */
export interface Condition {
  readonly filter: Filter
  /** The values from before a comparator without values was chosen. They return with the next comparator. */
  readonly kept?: readonly unknown[]
}

/** The control of the values of a condition. */
export type ValueControl =
  | { readonly type: 'none' }
  | { readonly type: 'boolean' }
  | { readonly type: 'audiences' }
  /** Chips. `choices` are the allowed values of a custom property; without `allowsOthers`, only these. */
  | {
      readonly type: 'chips'
      readonly valueType: Exclude<ValueType, 'none' | 'boolean' | 'audience'>
      readonly choices?: readonly { readonly label: string; readonly value: string | number }[]
      readonly allowsOthers: boolean
    }

/** Returns the values of a filter, or the audiences of an audience filter. */
export function valuesOf({ type, values = [], _audiences = [] }: Filter): readonly unknown[] {
  return type === 'audienceMatch' ? _audiences : values
}

/** Returns the control of the values of a filter. */
export function valueControl(filter: Filter, customProperties: readonly CustomProperty[]): ValueControl {
  const property = propertyOf(filter)
  if (!property || hasNoValues(filter.comparator)) return { type: 'none' }
  const valueType = valueTypeOf(property)
  if (valueType === 'none' || valueType === 'boolean') return { type: valueType }
  if (valueType === 'audience') return { type: 'audiences' }
  const schema = allowedValues(property, customProperties)
  if (!schema) return { type: 'chips', valueType, allowsOthers: true }
  return { type: 'chips', valueType, choices: schema.allowedValues, allowsOthers: schema.allowAdditionalValues }
}

/** Creates the condition of a property, without values. */
export function newCondition(property: Property): Condition {
  switch (property.kind) {
    case 'all':
    case 'optIn':
      return { filter: { type: property.kind } }
    case 'audience':
      return { filter: { type: 'audienceMatch', comparator: '=', _audiences: [] } }
    case 'user':
      return { filter: { type: 'user', subType: property.subType, comparator: '=', values: [] } }
    case 'custom': {
      const { dataKey, dataKeyType } = property
      const values = dataKeyType === 'Boolean' ? [true] : []
      return { filter: { type: 'user', subType: 'customData', dataKey, dataKeyType, comparator: '=', values } }
    }
  }
}

/** Returns the condition about another property. Its values go; undoing the change brings them back. */
export function withProperty(condition: Condition, property: Property): Condition {
  const current = propertyOf(condition.filter)
  return current && isSameProperty(current, property) ? condition : newCondition(property)
}

/** Returns the condition with another comparator. Values that fit are kept; those of `exist` return afterwards. */
export function withComparator({ filter, kept }: Condition, comparator: string): Condition {
  if (filter.type !== 'user') return { filter: { ...filter, comparator } }
  const { values, ...members } = filter
  if (hasNoValues(comparator)) {
    const remembered = values && values.length > 0 ? values : kept
    return { filter: { ...members, comparator }, ...(remembered ? { kept: remembered } : {}) }
  }
  const isBoolean = filter.dataKeyType === 'Boolean'
  return { filter: { ...members, comparator, values: values ?? kept ?? (isBoolean ? [true] : []) } }
}

/** Returns the condition with other values, or other audiences for an audience filter. */
export function withValues({ filter }: Condition, values: readonly unknown[]): Condition {
  if (filter.type === 'audienceMatch') return { filter: { ...filter, _audiences: values.map(String) } }
  return { filter: filter.type === 'user' ? { ...filter, values } : filter }
}

/** Returns a value without the white space around it, for "trim" beside a value that has some. */
export function trimValue(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value
}

/** Returns the values that the schema of a custom property lists, if it has one. */
export function allowedValues(property: Property, customProperties: readonly CustomProperty[]) {
  if (property.kind !== 'custom' || property.dataKeyType === 'Boolean') return undefined
  const found = customProperties.find(({ propertyKey }) => propertyKey === property.dataKey)
  return found?.schema?.schemaType === 'enum' ? found.schema.enumSchema : undefined
}

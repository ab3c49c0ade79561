import { type CustomProperty, MAX_FILTER_AUDIENCES, MAX_FILTER_VALUES } from '@burgee/contract/schemas'
import type { Filter } from '@burgee/core'
import { isSameProperty, type Property, propertyOf, type ValueType, valueTypeOf } from './properties.ts'
import { invalidValues, wantedValue } from './valueRules.ts'

/** A filter in the form. */
export interface Condition {
  readonly filter: Filter
  /** The values from before a comparator without values was chosen. They return with the next comparator. */
  readonly kept?: readonly unknown[]
}

/** An entry of the comparator control. */
export interface ComparatorChoice {
  readonly comparator: string
  readonly label: string
  /** Whether the entry is behind "more". */
  readonly isFolded: boolean
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

/** A message at a control of a condition. Only errors prevent saving. */
export interface ConditionMessage {
  readonly level: 'error' | 'warning' | 'hint'
  readonly member: 'property' | 'comparator' | 'values'
  /** The index of the value that the message is about. */
  readonly index?: number
  readonly message: string
}

/** What the messages of a condition depend on, apart from the condition. */
export interface ConditionContext {
  readonly customProperties: readonly CustomProperty[]
  /** Ids and keys of the audiences of the project. Without them, no audience is reported as missing. */
  readonly audiences?: ReadonlySet<string>
  /** The number of members of the group, and how it combines them. */
  readonly group?: { readonly operator: 'and' | 'or'; readonly size: number }
}

const known = [
  { comparator: 'exist', label: 'is known' },
  { comparator: '!exist', label: 'is not known' }
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

/** Returns the comparator of a filter. A missing one of an audience filter is `=`. */
export function comparatorOf({ type, comparator }: Filter): string | undefined {
  return type === 'audienceMatch' ? (comparator ?? '=') : comparator
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
  const schema = schemaOf(property, customProperties)
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

/** Returns the messages of a condition. Without errors, the API accepts the filter. */
export function conditionMessages({ filter }: Condition, context: ConditionContext): readonly ConditionMessage[] {
  const property = propertyOf(filter)
  if (!property) {
    return [{ level: 'error', member: 'property', message: `choose a property; “${filter.type}” is not known here` }]
  }
  switch (property.kind) {
    case 'all':
      return allMessages(context)
    case 'optIn':
      return optInMessages(filter)
    case 'audience':
      return audienceMessages(filter, context)
    default:
      return [...propertyMessages(property), ...valueMessages(filter, property, context)]
  }
}

/** Returns a value without the white space around it, for "trim" beside a value that has some. */
export function trimValue(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value
}

function allMessages({ group }: ConditionContext): readonly ConditionMessage[] {
  if (!group || group.size < 2) return []
  const message =
    group.operator === 'or'
      ? 'everybody makes the others in “any of” pointless'
      : 'everybody changes nothing beside others in “all of”'
  return [{ level: 'hint', member: 'property', message }]
}

function optInMessages({ _audiences = [], values = [] }: Filter): readonly ConditionMessage[] {
  if (_audiences.length === 0 && values.length === 0) return []
  return [{ level: 'error', member: 'values', message: 'opted in takes no values; choose it again to remove them' }]
}

function audienceMessages(filter: Filter, { audiences }: ConditionContext): readonly ConditionMessage[] {
  const { _audiences = [] } = filter
  const comparator = comparatorOf(filter) ?? ''
  const missing = _audiences.flatMap((reference, index): ConditionMessage[] =>
    audiences === undefined || audiences.has(reference)
      ? []
      : [{ level: 'error', member: 'values', index, message: `audience “${reference}” does not exist` }]
  )
  return [
    ...comparatorMessages({ kind: 'audience' }, comparator),
    ...(_audiences.length === 0 ? [valuesError('choose at least one')] : []),
    ...(_audiences.length > MAX_FILTER_AUDIENCES
      ? [valuesError(`choose at most ${count(MAX_FILTER_AUDIENCES)} audiences, not ${count(_audiences.length)}`)]
      : []),
    ...missing
  ]
}

function propertyMessages(property: Property): readonly ConditionMessage[] {
  if (property.kind !== 'custom' || (property.dataKey !== '' && property.dataKey.length <= 100)) return []
  return [{ level: 'error', member: 'property', message: 'give the name of a property, at most 100 characters' }]
}

function valueMessages(filter: Filter, property: Property, context: ConditionContext): readonly ConditionMessage[] {
  const { comparator = '', values = [] } = filter
  const messages = [...comparatorMessages(property, comparator)]
  if (hasNoValues(comparator)) {
    return values.length > 0 ? [...messages, valuesError('remove the values: this comparator takes none')] : messages
  }
  if (values.length === 0) return [...messages, valuesError('give at least one value')]
  if (values.length > MAX_FILTER_VALUES) {
    messages.push(valuesError(`give at most ${count(MAX_FILTER_VALUES)} values, not ${count(values.length)}`))
  }
  for (const index of invalidValues(filter)) {
    messages.push(valuesError(wantedValue(valueTypeOf(property), values[index]), index))
  }
  return [...messages, ...spaceHints(values), ...schemaWarnings(values, property, context), ...orderHint(filter)]
}

function comparatorMessages(property: Property, comparator: string): readonly ConditionMessage[] {
  if (comparators[valueTypeOf(property)].some((choice) => choice.comparator === comparator)) return []
  const message = hasNoValues(comparator)
    ? 'matches nobody: versions cannot be tested for being known; choose another comparator'
    : 'choose a comparator'
  return [{ level: 'error', member: 'comparator', message }]
}

function spaceHints(values: readonly unknown[]): readonly ConditionMessage[] {
  return values.flatMap((value, index): ConditionMessage[] =>
    typeof value === 'string' && value !== '' && value !== value.trim()
      ? [{ level: 'warning', member: 'values', index, message: `“${value}” begins or ends with a space` }]
      : []
  )
}

function schemaWarnings(
  values: readonly unknown[],
  property: Property,
  { customProperties }: ConditionContext
): readonly ConditionMessage[] {
  const schema = schemaOf(property, customProperties)
  if (!schema || schema.allowAdditionalValues) return []
  const allowed = new Set<unknown>(schema.allowedValues.map(({ value }) => value))
  return values.flatMap((value, index): ConditionMessage[] =>
    allowed.has(value)
      ? []
      : [{ level: 'warning', member: 'values', index, message: `“${value}” is not among the values of this property` }]
  )
}

function orderHint({ comparator = '', values = [] }: Filter): readonly ConditionMessage[] {
  if (values.length < 2 || !/^[<>]/.test(comparator)) return []
  const counting = comparator.startsWith('>') ? 'smallest' : 'largest'
  return [{ level: 'hint', member: 'values', message: `one that holds is enough: only the ${counting} counts` }]
}

function schemaOf(property: Property, customProperties: readonly CustomProperty[]) {
  if (property.kind !== 'custom' || property.dataKeyType === 'Boolean') return undefined
  const found = customProperties.find(({ propertyKey }) => propertyKey === property.dataKey)
  return found?.schema?.schemaType === 'enum' ? found.schema.enumSchema : undefined
}

function hasNoValues(comparator = ''): boolean {
  return comparator.endsWith('exist')
}

function valuesError(message: string, index?: number): ConditionMessage {
  return { level: 'error', member: 'values', message, ...(index === undefined ? {} : { index }) }
}

function count(number: number): string {
  return number.toLocaleString('en')
}

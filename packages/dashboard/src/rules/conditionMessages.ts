import { type CustomProperty, MAX_FILTER_AUDIENCES, MAX_FILTER_VALUES } from '@burgee/contract/schemas'
import type { Filter } from '@burgee/core'
import { comparatorOf, hasComparator, hasNoValues } from './comparators.ts'
import { allowedValues, type Condition } from './conditions.ts'
import { type Property, propertyOf, valueTypeOf } from './properties.ts'
import { invalidValues, wantedValue } from './valueRules.ts'

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

function allMessages({ group }: ConditionContext): readonly ConditionMessage[] {
  if (!group || group.size < 2) return []
  const message =
    group.operator === 'or'
      ? '“everyone” makes the other conditions in “any of” redundant'
      : '“everyone” has no effect beside other conditions in “all of”'
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
  return [{ level: 'error', member: 'property', message: 'enter the name of a property, at most 100 characters' }]
}

function valueMessages(filter: Filter, property: Property, context: ConditionContext): readonly ConditionMessage[] {
  const { comparator = '', values = [] } = filter
  const messages = [...comparatorMessages(property, comparator)]
  if (hasNoValues(comparator)) {
    return values.length > 0 ? [...messages, valuesError('remove the values: this comparator takes none')] : messages
  }
  if (values.length === 0) return [...messages, valuesError('enter at least one value')]
  if (values.length > MAX_FILTER_VALUES) {
    messages.push(valuesError(`enter at most ${count(MAX_FILTER_VALUES)} values, not ${count(values.length)}`))
  }
  for (const index of invalidValues(filter)) {
    messages.push(valuesError(wantedValue(valueTypeOf(property), values[index]), index))
  }
  return [...messages, ...spaceHints(values), ...schemaWarnings(values, property, context), ...orderHint(filter)]
}

function comparatorMessages(property: Property, comparator: string): readonly ConditionMessage[] {
  if (hasComparator(property, comparator)) return []
  const message = hasNoValues(comparator)
    ? 'matches no user: versions do not support this comparator; choose another one'
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
  const schema = allowedValues(property, customProperties)
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
  return [
    {
      level: 'hint',
      member: 'values',
      message: `only the ${counting} value has an effect, because one match is enough`
    }
  ]
}

function valuesError(message: string, index?: number): ConditionMessage {
  return { level: 'error', member: 'values', message, ...(index === undefined ? {} : { index }) }
}

function count(number: number): string {
  return number.toLocaleString('en')
}

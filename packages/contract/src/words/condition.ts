import { createFormatter, type Formatter, quote, type WordContext } from './context.ts'
import { list, MAX_DEPTH, type Members, members } from './data.ts'
import { english, isComparator, isUserProperty, type Messages } from './messages.ts'

/**
 * Describes a filter or an operator, for example `country is Canada (CA) or United States (US)`. Works for any data.
 */
export function condition(filter: object, context: WordContext): string {
  return describe(members(filter), { messages: english, ...context }, createFormatter(context), 0)
}

type Context = WordContext & { readonly messages: Messages }

function describe(filter: Members, context: Context, format: Formatter, depth: number): string {
  const { messages } = context
  if (filter.operator) return describeOperator(filter, context, format, depth)
  if (filter.type === 'all') return messages.everyone()
  if (filter.type === 'optIn') return messages.optedIn()
  if (filter.type === 'audienceMatch') {
    const names = list(filter._audiences).map((id) => nameOf(context.audiences, id))
    if (names.length === 0 && filter.comparator === '!=') return messages.everyone()
    const audiences = listed(names, context, format)
    return filter.comparator === '!=' ? messages.notInAudience(audiences) : messages.inAudience(audiences)
  }
  return filter.type === 'user' ? describeProperty(filter, context, format) : messages.nobody()
}

function describeProperty(filter: Members, context: Context, format: Formatter): string {
  const { messages } = context
  const { subType, dataKey, comparator } = filter
  const isCustom = subType === 'customData'
  if (!isComparator(comparator) || !(isCustom || isUserProperty(subType))) return messages.nobody()
  const property = isUserProperty(subType) ? messages.property(subType) : nameOf(context.customProperties, dataKey)
  if (comparator === 'exist' || comparator === '!exist') return messages.existence({ property, comparator })
  const isCountry = subType === 'country' && (comparator === '=' || comparator === '!=')
  const values = list(filter.values).map(isCountry ? format.country : format.value)
  return messages.comparison({ property, comparator, values: listed(values, context, format) })
}

function describeOperator({ operator, filters }: Members, context: Context, format: Formatter, depth: number): string {
  const { messages } = context
  const items = list(filters).map(members)
  if (items.length === 0 || depth > MAX_DEPTH) return messages.nobody()
  const conditions = items.map((item) => {
    const words = describe(item, context, format, depth + 1)
    return item.operator && list(item.filters).length > 1 && items.length > 1 ? messages.group(words) : words
  })
  return operator === 'or'
    ? messages.anyOf({ conditions, or: format.or })
    : messages.allOf({ conditions, and: format.and })
}

function listed(items: readonly string[], { messages, maxValues = 5 }: Context, format: Formatter): string {
  if (items.length === 0) return messages.noValues()
  const hidden = items.length - maxValues
  return format.or(hidden > 0 ? [...items.slice(0, maxValues), messages.moreValues(format.value(hidden))] : items)
}

/** Returns the formatted name of what an id or key refers to, or the id itself. */
export function nameOf(names: ReadonlyMap<string, string> | undefined, id: unknown): string {
  return quote(typeof id === 'string' ? (names?.get(id) ?? id) : id)
}

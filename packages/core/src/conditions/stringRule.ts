import { isString } from '../json/typeGuards.ts'

/** Returns whether a string satisfies a comparator. The text of an absent or non-string attribute is `undefined`. */
export type StringRule = (text: string | undefined) => boolean

/** A text in which values are searched for. A string is one. */
export interface SearchableText {
  readonly includes: (value: string) => boolean
}

/** Prepares a text of a user for searches. */
export type PrepareSearch = (text: string) => SearchableText

/** The largest number of values for which a linear search is faster than a Set. */
const LINEAR_SEARCH_LIMIT = 8

/** Prepares a string comparison, exact and case-sensitive (docs/reference/evaluation.md, Comparators). */
export function stringRule(
  comparator: string | undefined,
  values: readonly unknown[],
  search?: PrepareSearch
): StringRule {
  switch (comparator) {
    case 'exist':
      return (text) => Boolean(text)
    case '!exist':
      return (text) => !text
    case '=':
      return equalsAny(values)
    case '!=': {
      if (values.length === 0) return never
      const equals = equalsAny(values)
      return (text) => text !== undefined && !equals(text)
    }
    case 'contain':
      return matchesFirst(values.map(String), (text) => {
        const searched = search?.(text) ?? text
        return (value) => searched.includes(value)
      })
    case 'startWith':
      return matchesFirst(values.filter(isString), (text) => (value) => text.startsWith(value))
    case 'endWith':
      return matchesFirst(values.filter(isString), (text) => (value) => text.endsWith(value))
    case '!contain':
    case '!startWith':
    case '!endWith': {
      if (values.length === 0) return never
      const positive = stringRule(comparator.slice(1), values, search)
      return (text) => !positive(text)
    }
    default:
      // An unknown comparator matches every string, even an empty one, as in the reference engine.
      return (text) => text !== undefined
  }
}

function never(): boolean {
  return false
}

function equalsAny(values: readonly unknown[]): StringRule {
  const texts = values.filter(isString)
  const [only] = texts
  if (texts.length === 1) return (text) => text === only
  if (texts.length > LINEAR_SEARCH_LIMIT) return hasAny(new Set(texts))
  return (text) => text !== undefined && texts.includes(text)
}

/** A function of its own, whose result does not keep the list of values in memory. */
function hasAny(set: ReadonlySet<string>): StringRule {
  return (text) => text !== undefined && set.has(text)
}

/** The first value that matches decides. If it is the empty string, which matches every text, the result is false. */
function matchesFirst(values: readonly string[], matches: (text: string) => (value: string) => boolean): StringRule {
  return (text) => text !== undefined && Boolean(values.find(matches(text)))
}

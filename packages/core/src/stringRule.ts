/** Whether a user's text satisfies a comparator; `undefined` stands for a member that is absent or not a string. */
export type StringRule = (text: string | undefined) => boolean

/** Lists longer than this are searched as Sets. */
const SHORT_LIST = 8

/** Prepares a string rule (`evaluation.md` §2.4). Comparisons are exact and case-sensitive. */
export function stringRule(comparator: string | undefined, values: readonly unknown[]): StringRule {
  switch (comparator) {
    case 'exist':
      return (text) => text !== undefined && text !== ''
    case '!exist':
      return (text) => text === undefined || text === ''
    case '=':
      return isIn(values)
    case '!=': {
      if (values.length === 0) return nobody
      const listed = isIn(values)
      return (text) => text !== undefined && !listed(text)
    }
    case 'contain':
      return matchesFirst(values.map(String), (text, value) => text.includes(value))
    case 'startWith':
      return matchesFirst(values.filter(isString), (text, value) => text.startsWith(value))
    case 'endWith':
      return matchesFirst(values.filter(isString), (text, value) => text.endsWith(value))
    case '!contain':
    case '!startWith':
    case '!endWith': {
      if (values.length === 0) return nobody
      const positive = stringRule(comparator.slice(1), values)
      return (text) => !positive(text)
    }
    default:
      // Any other comparator asks only for a string, even an empty one.
      return (text) => text !== undefined
  }
}

function nobody(): boolean {
  return false
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isIn(values: readonly unknown[]): StringRule {
  const texts = values.filter(isString)
  const [only] = texts
  if (texts.length === 1) return (text) => text === only
  if (texts.length <= SHORT_LIST) return (text) => text !== undefined && texts.includes(text)
  const set = new Set(texts)
  return (text) => text !== undefined && set.has(text)
}

/** The first value that matches decides, and an empty one decides against: it matches everything and means nothing. */
function matchesFirst(values: readonly string[], matches: (text: string, value: string) => boolean): StringRule {
  return (text) => text !== undefined && Boolean(values.find((value) => matches(text, value)))
}

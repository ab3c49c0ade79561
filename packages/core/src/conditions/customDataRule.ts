import { type PrepareSearch, stringRule } from './stringRule.ts'

/** Returns whether a custom attribute satisfies a comparator. The value of an absent attribute is `undefined`. */
export type ValueRule = (value: unknown) => boolean

/**
 * Prepares a comparison with a custom attribute (docs/reference/evaluation.md, Comparators). The type of the first
 * value selects the rules; an attribute of another type does not match.
 */
export function customDataRule(
  comparator: string | undefined,
  values: readonly unknown[],
  search?: PrepareSearch
): ValueRule {
  if (comparator === 'exist') return exists
  if (comparator === '!exist') return (value) => !exists(value)
  // An attribute of another type satisfies `!=` only if it is falsy, as in the reference engine.
  const mismatched: ValueRule = comparator === '!=' ? (value) => !value : () => false
  switch (typeof values[0]) {
    case 'string': {
      const rule = stringRule(comparator, values, search)
      return (value) => (typeof value === 'string' ? rule(value) : mismatched(value))
    }
    case 'number': {
      const rule = numberRule(comparator, values)
      return (value) => (typeof value === 'number' ? rule(value) : mismatched(value))
    }
    case 'boolean': {
      const rule = booleanRule(comparator, values)
      return (value) => (typeof value === 'boolean' ? rule(value) : mismatched(value))
    }
    default:
      return mismatched
  }
}

function exists(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function numberRule(comparator: string | undefined, values: readonly unknown[]): (value: number) => boolean {
  const numbers = values.filter((value) => typeof value === 'number')
  switch (comparator) {
    case '=':
      return (value) => numbers.includes(value)
    case '!=':
      return (value) => numbers.length === values.length && !numbers.includes(value)
    case '>':
      return (value) => numbers.some((number) => value > number)
    case '>=':
      return (value) => numbers.some((number) => value >= number)
    case '<':
      return (value) => numbers.some((number) => value < number)
    case '<=':
      return (value) => numbers.some((number) => value <= number)
    default:
      return () => false
  }
}

function booleanRule(comparator: string | undefined, values: readonly unknown[]): (value: boolean) => boolean {
  switch (comparator) {
    case '=':
    case 'contain':
      return (value) => values.includes(value)
    case '!=':
    case '!contain':
      return (value) => !values.includes(value)
    default:
      return () => false
  }
}

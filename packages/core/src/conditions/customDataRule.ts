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
    case 'number':
      return numberRule(comparator, values)
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

/** Several values are alternatives, so the least or the greatest of them decides an order. */
function numberRule(comparator: string | undefined, values: readonly unknown[]): ValueRule {
  const numbers = values.filter((value) => typeof value === 'number')
  const least = Math.min(...numbers)
  const greatest = Math.max(...numbers)
  switch (comparator) {
    case '=':
      return (value) => numbers.includes(value as number)
    case '!=': {
      const isComparable = numbers.length === values.length
      return (value) => (typeof value === 'number' ? isComparable && !numbers.includes(value) : !value)
    }
    case '>':
      return (value) => typeof value === 'number' && value > least
    case '>=':
      return (value) => typeof value === 'number' && value >= least
    case '<':
      return (value) => typeof value === 'number' && value < greatest
    case '<=':
      return (value) => typeof value === 'number' && value <= greatest
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

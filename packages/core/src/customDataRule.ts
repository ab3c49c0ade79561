import { stringRule } from './stringRule.ts'

/** Whether a custom attribute's value satisfies a comparator; `undefined` stands for an absent attribute. */
export type ValueRule = (value: unknown) => boolean

/** Prepares a rule on a custom attribute (`evaluation.md` §2.6). The JSON types of the first listed value and of the attribute choose the rule. */
export function customDataRule(comparator: string | undefined, values: readonly unknown[]): ValueRule {
  if (comparator === 'exist') return exists
  if (comparator === '!exist') return (value) => !exists(value)
  // Nothing to compare with: only `!=` can hold, and only against an attribute that says nothing.
  const otherwise: ValueRule = comparator === '!=' ? (value) => !value : () => false
  switch (typeof values[0]) {
    case 'string': {
      const rule = stringRule(comparator, values)
      return (value) => (typeof value === 'string' ? rule(value) : otherwise(value))
    }
    case 'number': {
      const rule = numberRule(comparator, values)
      return (value) => (typeof value === 'number' ? rule(value) : otherwise(value))
    }
    case 'boolean': {
      const rule = booleanRule(comparator, values)
      return (value) => (typeof value === 'boolean' ? rule(value) : otherwise(value))
    }
    default:
      return otherwise
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

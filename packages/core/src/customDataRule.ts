import { stringRule } from './stringRule.ts'

/** Whether a custom attribute's value satisfies a comparator; `undefined` stands for an absent attribute. */
export type ValueRule = (value: unknown) => boolean

/** Prepares a rule on a custom attribute (`evaluation.md` §2.6). The JSON types of the first listed value and of the attribute choose the rule. */
export function customDataRule(comparator: string | undefined, values: readonly unknown[]): ValueRule {
  if (comparator === 'exist') return exists
  if (comparator === '!exist') return (value) => !exists(value)
  const type = typeof values[0]
  const rule = isRuleType(type) ? rules[type](comparator, values) : undefined
  return (value) => {
    // Each rule is asked about values of its own type only.
    if (rule && typeof value === type) return rule(value as never)
    // Nothing to compare with: only `!=` can hold, and only against an attribute that says nothing.
    return comparator === '!=' && !value
  }
}

function exists(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** The rules by the JSON type of the values they compare. */
const rules = { string: stringRule, number: numberRule, boolean: booleanRule }

function isRuleType(type: string): type is keyof typeof rules {
  return type in rules
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

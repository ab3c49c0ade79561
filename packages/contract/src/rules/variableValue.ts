import type { VariableType } from '@burgee/core'

/** Whether a variable of a type can have a value. Values of type JSON are objects. */
export function isOfType(type: VariableType, value: unknown): boolean {
  switch (type) {
    case 'String':
      return typeof value === 'string'
    case 'Boolean':
      return typeof value === 'boolean'
    case 'Number':
      return Number.isFinite(value)
    case 'JSON':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
  }
}

/** What the values of each type are, as messages say it. */
export const valueDescriptions: Readonly<Record<VariableType, string>> = {
  String: 'a string',
  Boolean: 'a boolean',
  Number: 'a number',
  JSON: 'a JSON object'
}

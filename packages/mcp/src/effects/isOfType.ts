import type { Variable } from '@burgee/contract/schemas'

/** Whether a value is of a variable's type. */
export function isOfType(type: Variable['type'], value: unknown): boolean {
  if (type === 'JSON') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === ({ String: 'string', Boolean: 'boolean', Number: 'number' } as const)[type]
}

/** Returns whether a value is an object whose properties can be read by name. Arrays count. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Returns whether a value is a string. */
export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** Returns whether a value is a string, a boolean or a finite number. */
export function isScalar(value: unknown): value is string | number | boolean {
  return isString(value) || typeof value === 'boolean' || Number.isFinite(value)
}

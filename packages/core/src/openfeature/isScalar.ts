/** Whether a value is one that OpenFeature's flat objects can have as a member: a number is a finite one, as in JSON. */
export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

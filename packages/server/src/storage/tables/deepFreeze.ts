/**
 * Returns a deeply frozen copy of a value after a round trip through JSON, which equals the value that a restart reads.
 * A value without a JSON representation fails here, not in a commit that it shares with others.
 */
export function frozenJsonCopy<T>(value: T): T {
  // Items are plain JSON data, so the copy has their type.
  return deepFreeze(JSON.parse(JSON.stringify(value)) as T)
}

/** Freezes a value and everything in it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}

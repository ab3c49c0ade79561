/**
 * A deeply frozen copy of a value as JSON keeps it: what is read back now is what is read back after a restart.
 * A value that JSON cannot carry fails here, before it can spoil a commit it would share with others.
 */
export function frozenJsonCopy<T>(value: T): T {
  // What comes back has the members of what went in: items are plain JSON data.
  return deepFreeze(JSON.parse(JSON.stringify(value)) as T)
}

/** The same value, with everything in it frozen. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}

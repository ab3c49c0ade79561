/** What an application asks a flag's value to be. */
export type FlagType = 'boolean' | 'string' | 'number' | 'object'

/** Whether a value is of the type that was asked for. `object` takes every JSON but scalars: objects, lists and null. */
export function isOfType(value: unknown, type: FlagType): boolean {
  return typeof value === type
}

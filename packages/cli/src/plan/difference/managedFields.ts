import type { ManagedResource, Management } from '@burgee/contract/schemas'

/** The digest of a member that was claimed and not applied yet. */
export const CLAIMED = '-'

/** Returns the members that a label describes, by resource. */
export function fieldsByResource({ resources }: Management): ReadonlyMap<string, ManagedResource['fields']> {
  return new Map(resources.map((resource) => [nameOf(resource), resource.fields]))
}

/** Returns the name of a resource in a map. */
export function nameOf({ kind, key }: Pick<ManagedResource, 'kind' | 'key'>): string {
  return `${kind} ${key}`
}

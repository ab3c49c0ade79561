import type { ManagedResource } from '@burgee/contract/schemas'
import { refused } from '../../access/permissions/managementError.ts'
import type { StoredManagement } from '../../storage/resources/project.ts'

/** Asserts that other labels manage none of these members. @throws {HttpError} 409 */
export function assertNotManaged(others: readonly StoredManagement[], listed: readonly ManagedResource[]): void {
  for (const { label, resources } of others) {
    const managed = indexOf(resources)
    for (const resource of listed) {
      const fields = managed.get(nameOf(resource))?.fields ?? {}
      const member = Object.keys(resource.fields).find((path) => Object.hasOwn(fields, path))
      if (member === undefined) continue
      throw refused(
        'ERR_MANAGED',
        `${member} of ${resource.kind} "${resource.key}" is described by the files of "${label}": set takeOver to describe it with others`
      )
    }
  }
}

/** Returns the labels that lose members to these resources, as they are afterwards. */
export function takeOver(
  others: readonly StoredManagement[],
  listed: readonly ManagedResource[]
): readonly StoredManagement[] {
  const taken = indexOf(listed)
  return others.flatMap((other) => {
    const resources = other.resources.flatMap((resource) => {
      const lost = taken.get(nameOf(resource))?.fields ?? {}
      const fields = Object.entries(resource.fields).filter(([path]) => !Object.hasOwn(lost, path))
      return fields.length === 0 ? [] : [{ ...resource, fields: Object.fromEntries(fields) }]
    })
    const isChanged = JSON.stringify(resources) !== JSON.stringify(other.resources)
    return isChanged ? [{ ...other, resources }] : []
  })
}

function indexOf(resources: readonly ManagedResource[]): ReadonlyMap<string, ManagedResource> {
  return new Map(resources.map((resource) => [nameOf(resource), resource]))
}

/** Returns a name of a resource that is unique in its project. */
export function nameOf({ kind, key }: Pick<ManagedResource, 'kind' | 'key'>): string {
  return `${kind} ${key}`
}

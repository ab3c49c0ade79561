import { roles } from '@burgee/contract'
import type { RoleGrant } from '@burgee/contract/schemas'
import { parseText, type Settings, UsageError, type Values } from '@burgee/kit/settings'
import type { StoredGrant } from '../storage/resources/organization.ts'
import type { Store } from '../storage/store.ts'

/** The settings that grant roles. */
export const roleSettings = {
  role: {
    kind: 'list',
    placeholder: 'role',
    help: `Role to grant: ${roles.join(', ')}. Repeatable.`,
    parse: (text: string) => roles.find((role) => role === text)
  },
  project: {
    kind: 'list',
    placeholder: 'key',
    help: 'Key or id of a project to which the roles are limited; the whole organization if omitted. Repeatable.',
    parse: parseText
  }
} as const satisfies Settings

/**
 * Returns each role in each project, or in the organization when there is no project; `undefined` without roles.
 * @throws {UsageError} if there are projects but no roles.
 */
export function parseRoleGrants({ role, project }: Values<typeof roleSettings>): readonly RoleGrant[] | undefined {
  if (role.length === 0 && project.length > 0) throw new UsageError('--project requires --role')
  if (role.length === 0) return undefined
  return role.flatMap((role) => (project.length > 0 ? project.map((project) => ({ role, project })) : [{ role }]))
}

/** Returns a function that formats roles: `member, publisher in shop`. Reads the keys of projects once. */
export async function createGrantFormatter(store: Store): Promise<(grants: readonly StoredGrant[]) => string> {
  const { items } = await store.collection('projects').list()
  const keys = new Map(items.map(({ _id, key }) => [_id, key]))
  return (grants) => {
    const texts = grants.map(({ role, _project }) => {
      return _project === undefined ? role : `${role} in ${keys.get(_project) ?? _project}`
    })
    return texts.join(', ') || 'none'
  }
}

import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { type Permission, type PermissionMode, permissions, permissionsOfRole, type Role, roles } from '../src/index.ts'

/** Roles by permission in mode `full`: viewer, member, publisher, project admin, organization admin, owner. */
const full: Readonly<Record<Permission, string>> = {
  'organization:read:settings': 'v m p j a o',
  'organization:read:members': 'v m p j a o',
  'organization:write:settings': '. . . . a o',
  'project:read': 'v m p j a .',
  'project:write': '. . . . a .',
  'project:delete': '. . . . a .',
  'project:write:settings': '. . . j a .',
  'project:read:overrides': 'v m p j a .',
  'environment:read': 'v m p j a .',
  'environment:write': '. m p j a .',
  'environment:delete': '. . . j a .',
  'feature:read': 'v m p j a .',
  'feature:write': '. m p j a .',
  'feature:publish': '. . p j a .',
  'feature:delete': '. . . j a .',
  'variation:read': 'v m p j a .',
  'variation:write': '. m p j a .',
  'variable:read': 'v m p j a .',
  'variable:write': '. m p j a .',
  'audience:read': 'v m p j a .',
  'audience:write': '. m p j a .',
  'audience:delete': '. . . j a .'
}

/** The same in mode `basic`, which grants publishers and admins everything that is not reserved for owners. */
const basic: Readonly<Record<Permission, string>> = {
  'organization:read:settings': 'v m p j a o',
  'organization:read:members': 'v m p j a o',
  'organization:write:settings': '. . . . . o',
  'project:read': 'v m p j a o',
  'project:write': '. . p j a o',
  'project:delete': '. . . . . o',
  'project:write:settings': '. . p j a o',
  'project:read:overrides': 'v m p j a o',
  'environment:read': 'v m p j a o',
  'environment:write': '. m p j a o',
  'environment:delete': '. . p j a o',
  'feature:read': 'v m p j a o',
  'feature:write': '. m p j a o',
  'feature:publish': '. . p j a o',
  'feature:delete': '. . p j a o',
  'variation:read': 'v m p j a o',
  'variation:write': '. m p j a o',
  'variable:read': 'v m p j a o',
  'variable:write': '. m p j a o',
  'audience:read': 'v m p j a o',
  'audience:write': '. m p j a o',
  'audience:delete': '. . p j a o'
}

const letters: Readonly<Record<Role, string>> = {
  viewer: 'v',
  member: 'm',
  publisher: 'p',
  project_admin: 'j',
  organization_admin: 'a',
  organization_owner: 'o'
}

describe('permissionsOfRole', () => {
  it.each([
    ['full', full],
    ['basic', basic]
  ] as const)('matches the table of roles in mode %s', (mode, table) => {
    const rows = permissions.map((permission) => [permission, rowOf(mode, permission)])
    expect(Object.fromEntries(rows)).toEqual(table)
  })

  it('grants all permissions in mode flat', () => {
    for (const role of roles) expect([...permissionsOfRole(role, 'flat')]).toEqual(permissions)
  })
})

test('the access-control guide has the same table', () => {
  const page = readFileSync(new URL('../../../docs/guides/access-control.md', import.meta.url), 'utf8')
  const lines = page.split('\n').filter((line) => /^\| `.*\| *(✓)? *\|$/.test(line) && line.split('|').length === 9)
  const documented = new Map(
    lines.flatMap((line) => {
      const [, names = '', ...cells] = line.split('|')
      const marks = roles.map((role, column) => (cells[column]?.trim() === '✓' ? letters[role] : '.')).join(' ')
      return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']): [string, string] => [name, marks])
    })
  )
  const find = (permission: Permission): string | undefined => {
    if (permission.startsWith('organization:read:')) return documented.get('organization:read:…')
    return documented.get(permission) ?? (permission.endsWith(':read') ? documented.get('…:read') : undefined)
  }
  for (const permission of permissions) expect([permission, find(permission)]).toEqual([permission, full[permission]])
})

function rowOf(mode: PermissionMode, permission: Permission): string {
  return roles.map((role) => (permissionsOfRole(role, mode).has(permission) ? letters[role] : '.')).join(' ')
}

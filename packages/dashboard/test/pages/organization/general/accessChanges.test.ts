import type { OrganizationSettings, UserAccount } from '@burgee/contract/schemas'
import { expect, test } from 'vitest'
import { accessChanges, describePersonAccess } from '../../../../src/pages/organization/general/accessChanges.ts'

type Permissions = OrganizationSettings['permissions']

const projects = new Map([['p1', 'Shop']])

const flat: Permissions = { mode: 'flat', controlledBy: 'burgee', groups: [] }

const full: Permissions = { ...flat, mode: 'full' }

function person(name: string, roles: UserAccount['roles'], rest: Partial<UserAccount> = {}) {
  return { user_id: name, name, roles, isDisabled: false, isProvisioned: false, ...rest }
}

const ada = person('Ada', [{ role: 'publisher', project: 'p1' }])

test('a person has all permissions in flat mode, and those of their roles in the others', () => {
  expect(describePersonAccess(ada, flat, projects)).toBe('all permissions')
  expect(describePersonAccess(ada, full, projects)).toBe('Publisher in Shop')
  expect(describePersonAccess(ada, { ...flat, mode: 'basic' }, projects)).toBe('none')
})

test('groups add roles, and replace those of people from the identity provider where it controls them', () => {
  const groups = [{ group: 'team', role: 'viewer' as const, project: 'p1' }]
  const external = { ...ada, groups: ['team'], hasPassword: false }
  expect(describePersonAccess(external, { ...full, groups }, projects)).toBe('Publisher in Shop; Viewer in Shop')
  const controlled: Permissions = { mode: 'full', controlledBy: 'identityProvider', groups }
  expect(describePersonAccess(external, controlled, projects)).toBe('Viewer in Shop')
  expect(describePersonAccess({ ...ada, groups: ['team'], hasPassword: true }, controlled, projects)).toContain(
    'Publisher'
  )
})

test('the changes of a mode list people who lose everything first, and no disabled accounts', () => {
  const people = [ada, person('Bob', []), person('Cleo', [], { isDisabled: true })]
  expect(accessChanges(people, flat, full, projects).map(({ name, after }) => [name, after])).toEqual([
    ['Bob', 'none'],
    ['Ada', 'Publisher in Shop']
  ])
  expect(accessChanges(people, full, full, projects)).toEqual([])
})

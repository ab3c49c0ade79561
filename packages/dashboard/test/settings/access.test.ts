import type { OrganizationSettings, UserAccount } from '@burgee/contract/schemas'
import { expect, test } from 'vitest'
import { toAccessQuery, validateAccessSearch } from '../../src/pages/organization/access/accessSearch.ts'
import { accessChanges, accessWords } from '../../src/pages/organization/general/accessChanges.ts'

type Permissions = OrganizationSettings['permissions']

const projects = new Map([['p1', 'Shop']])
const flat: Permissions = { mode: 'flat', controlledBy: 'burgee', groups: [] }
const full: Permissions = { ...flat, mode: 'full' }

function person(name: string, roles: UserAccount['roles'], rest: Partial<UserAccount> = {}) {
  return { user_id: name, name, roles, isDisabled: false, isProvisioned: false, ...rest }
}

const ada = person('Ada', [{ role: 'publisher', project: 'p1' }])

test('a person has all permissions in flat mode, and those of their roles in the others', () => {
  expect(accessWords(ada, flat, projects)).toBe('all permissions')
  expect(accessWords(ada, full, projects)).toBe('Publisher in Shop')
  expect(accessWords(ada, { ...flat, mode: 'basic' }, projects)).toBe('none')
})

test('groups add roles, and replace those of people from the identity provider where it controls them', () => {
  const groups = [{ group: 'team', role: 'viewer' as const, project: 'p1' }]
  const external = { ...ada, groups: ['team'], hasPassword: false }
  expect(accessWords(external, { ...full, groups }, projects)).toBe('Publisher in Shop; Viewer in Shop')
  const controlled: Permissions = { mode: 'full', controlledBy: 'identityProvider', groups }
  expect(accessWords(external, controlled, projects)).toBe('Viewer in Shop')
  expect(accessWords({ ...ada, groups: ['team'], hasPassword: true }, controlled, projects)).toContain('Publisher')
})

test('the changes of a mode list people who lose everything first, and no disabled accounts', () => {
  const people = [ada, person('Bob', []), person('Cleo', [], { isDisabled: true })]
  expect(accessChanges(people, flat, full, projects).map(({ name, after }) => [name, after])).toEqual([
    ['Bob', 'none'],
    ['Ada', 'Publisher in Shop']
  ])
  expect(accessChanges(people, full, full, projects)).toEqual([])
})

test('the address of the access log leaves out what it does not understand', () => {
  expect(
    validateAccessSearch({ kind: 'signIn', outcome: 'maybe', from: '2026-99-99', to: '2026-03-01', page: 1 })
  ).toEqual({ kind: 'signIn', to: '2026-03-01' })
  expect(validateAccessSearch({ kind: 'toString', page: 3 })).toEqual({ page: 3 })
})

test('the access log starts seven days ago without a first day', () => {
  const now = new Date('2026-03-10T15:30:00').getTime()
  expect(toAccessQuery({}, '', now)).toEqual({ startDate: new Date('2026-03-03T00:00:00').toISOString() })
  expect(toAccessQuery({ from: '2026-01-01', outcome: 'refused' }, '192.0.2.1', now)).toEqual({
    outcome: 'refused',
    address: '192.0.2.1',
    startDate: new Date('2026-01-01T00:00:00').toISOString()
  })
})

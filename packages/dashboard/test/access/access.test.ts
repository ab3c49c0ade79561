import { permissions, roles } from '@burgee/contract/access'
import { describe, expect, test } from 'vitest'
import { describeGrant, permissionGroups, roleTitles } from '../../src/parts/access/accessWords.ts'
import { isSameGrants, withProject, withRole } from '../../src/parts/access/grantRows.ts'

test('the groups have every permission of the contract once, and the titles every role', () => {
  const named = permissionGroups.flatMap(({ permissions }) => permissions)
  expect([...named].sort()).toEqual([...permissions].sort())
  expect(Object.keys(roleTitles)).toEqual([...roles])
})

describe('a role', () => {
  test('is described with its project, also where the project is hidden', () => {
    const projects = new Map([['1', 'Shop']])
    expect(describeGrant({ role: 'publisher', project: '1' }, projects)).toBe('Publisher in Shop')
    expect(describeGrant({ role: 'viewer' }, projects)).toBe('Viewer')
    expect(describeGrant({ role: 'viewer', project: '2' }, projects)).toBe('Viewer in a project that you cannot see')
  })

  test('loses its project when it becomes one of the organization', () => {
    expect(withRole({ role: 'member', project: '1' }, 'organization_owner')).toEqual({ role: 'organization_owner' })
    expect(withRole({ role: 'member', project: '1' }, 'viewer')).toEqual({ role: 'viewer', project: '1' })
  })

  test('moves between projects and the organization', () => {
    expect(withProject({ role: 'member' }, '1')).toEqual({ role: 'member', project: '1' })
    expect(withProject({ role: 'member', project: '1' }, '')).toEqual({ role: 'member' })
  })
})

test('lists of roles are the same in any order, and differ by project', () => {
  const one = [{ role: 'viewer' }, { role: 'member', project: '1' }] as const
  expect(isSameGrants(one, [...one].reverse())).toBe(true)
  expect(isSameGrants(one, [{ role: 'viewer' }, { role: 'member', project: '2' }])).toBe(false)
  expect(isSameGrants(one, [])).toBe(false)
})

import { describe, expect, test } from 'vitest'
import { isSameGrants, withProject, withRole } from '../../../src/components/access/grantRows.ts'

describe('a role', () => {
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

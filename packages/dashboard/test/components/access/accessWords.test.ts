import { permissions, roles } from '@burgee/contract/access'
import { describe, expect, test } from 'vitest'
import { describeGrant, permissionGroups, roleTitles } from '../../../src/components/access/accessWords.ts'

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
})

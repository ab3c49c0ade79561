import type { Permission } from '@burgee/contract'

/** A description of each permission for people. */
export const permissionLabels: Readonly<Record<Permission, string>> = {
  'organization:read:settings': 'see the settings of the organization',
  'organization:read:members': 'see who belongs to the organization',
  'organization:write:settings': 'change the settings, people and clients of the organization',
  'project:read': 'see projects',
  'project:write': 'create projects',
  'project:delete': 'delete projects',
  'project:write:settings': 'change the settings of projects',
  'project:read:overrides': 'see which variations people try for themselves',
  'environment:read': 'see environments and their SDK keys',
  'environment:write': 'create and change environments and SDK keys',
  'environment:delete': 'delete environments',
  'feature:read': 'see features',
  'feature:write': 'create and change features',
  'feature:publish': 'publish changes in protected environments',
  'feature:delete': 'delete features',
  'variation:read': 'see variations',
  'variation:write': 'create and change variations',
  'variable:read': 'see variables',
  'variable:write': 'create and change variables',
  'audience:read': 'see audiences',
  'audience:write': 'create and change audiences',
  'audience:delete': 'delete audiences'
}

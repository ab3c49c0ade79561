import type { Permission } from './permission.ts'

/** What each permission allows: "the permission to …". */
export const permissionWords: Readonly<Record<Permission, string>> = {
  'organization:read:settings': 'see the settings and the history of the organization',
  'organization:read:members': 'see the people of the organization',
  'organization:write:settings': 'change the settings, people and clients of the organization',
  'project:read': 'see projects',
  'project:write': 'create and change projects',
  'project:write:settings': 'change the settings and webhooks of projects',
  'project:delete': 'delete projects',
  'project:read:overrides': 'see the overrides of all people',
  'environment:read': 'see environments and their SDK keys',
  'environment:write': 'create and change environments and SDK keys',
  'environment:delete': 'delete environments',
  'feature:read': 'see features',
  'feature:write': 'create and change features',
  'feature:publish': 'publish to protected environments',
  'feature:delete': 'delete features',
  'variation:read': 'see variations',
  'variation:write': 'create and change variations',
  'variable:read': 'see variables',
  'variable:write': 'create and change variables',
  'audience:read': 'see audiences',
  'audience:write': 'create and change audiences',
  'audience:delete': 'delete audiences'
}

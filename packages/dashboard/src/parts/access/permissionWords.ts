import type { Permission } from '@burgee/contract'

/** What each permission allows: "the permission to …". */
export const permissionWords: Readonly<Record<Permission, string>> = {
  'organization:read:settings': 'see settings and history of the organization',
  'organization:read:members': 'see people',
  'organization:write:settings': 'change settings, people and clients of the organization',
  'project:read': 'see projects',
  'project:write': 'create and change projects',
  'project:write:settings': 'change settings and webhooks of projects',
  'project:delete': 'delete projects',
  'project:read:overrides': 'see overrides of all people',
  'environment:read': 'see environments',
  'environment:write': 'change environments and SDK keys',
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

/** The predicate of a sentence about what takes a permission, as in "needs the permission to delete features". */
export function missingPermission(permission: Permission): string {
  return `needs the permission to ${permissionWords[permission]}`
}

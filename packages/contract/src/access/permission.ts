/** All permissions of the management API. Each operation takes one (docs/reference/management.md#permissions). */
export const permissions = [
  'organization:read:settings',
  'organization:read:members',
  'organization:write:settings',
  'project:read',
  'project:write',
  'project:delete',
  'project:write:settings',
  'project:read:overrides',
  'environment:read',
  'environment:write',
  'environment:delete',
  'feature:read',
  'feature:write',
  'feature:publish',
  'feature:delete',
  'variation:read',
  'variation:write',
  'variable:read',
  'variable:write',
  'audience:read',
  'audience:write',
  'audience:delete'
] as const

/** A permission of the management API. */
export type Permission = (typeof permissions)[number]

/** What a token can allow its holder to do, in the order of the specification's roles (`management.md` §3). */
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

/** One thing a token can allow. */
export type Permission = (typeof permissions)[number]

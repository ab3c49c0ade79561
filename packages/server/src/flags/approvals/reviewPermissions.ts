import type { Permission } from '@burgee/contract'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'

/** The permissions that a review requires in addition to `feature:publish`: those of the change itself. */
export const reviewPermissions: { readonly [Name in StoredChangeRequest['operation']]: readonly Permission[] } = {
  featureUpdate: [],
  featureStatusUpdate: [],
  featureStaticConfigurationUpdate: [],
  projectUpdate: ['project:write:settings'],
  projectSettingsUpdate: ['project:write:settings'],
  protectedSettingsUpdate: ['project:write:settings'],
  projectDelete: ['project:delete'],
  environmentUpdate: ['environment:write', 'project:write:settings'],
  environmentDelete: ['environment:delete'],
  audienceUpdate: ['audience:write'],
  audienceSemanticUpdate: ['audience:write']
}

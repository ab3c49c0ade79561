import type { OrganizationSettings } from '@burgee/contract/schemas'
import type { StoredOrganization } from '../../storage/resources.ts'

/** Converts the settings of an organization to their API form. */
export function toOrganizationSettings({ settings }: StoredOrganization): OrganizationSettings {
  const { groups, ...permissions } = settings.permissions
  const mappings = groups.map(({ group, role, _project }) => {
    return { group, role, ...(_project === undefined ? {} : { project: _project }) }
  })
  return { permissions: { ...permissions, groups: mappings } }
}

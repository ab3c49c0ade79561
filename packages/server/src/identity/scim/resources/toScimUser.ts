import { omitUndefined } from '@burgee/kit'
import type { StoredScimGroup, StoredUser } from '../../../storage/resources/organization.ts'
import type { ScimObject } from '../protocol/attribute.ts'
import { userSchema } from '../protocol/schemas.ts'
import { toMeta } from './toMeta.ts'

/** Converts a person to a SCIM resource. People whom SCIM does not manage have their e-mail address as `userName`. */
export function toScimUser(
  user: StoredUser,
  { baseUrl, groups }: { readonly baseUrl: string; readonly groups: ReadonlyMap<string, StoredScimGroup> }
): ScimObject {
  const { _id, email, name, isDisabled, externalId, provisionedGroups = [] } = user
  const { userName, active, ...attributes } = user.provisioning ?? {
    userName: email,
    name: { formatted: name },
    displayName: name,
    emails: [{ value: email, primary: true }],
    active: !isDisabled
  }
  const memberships = provisionedGroups.flatMap((groupName) => {
    const group = groups.get(groupName)
    return group ? [{ value: group._id, $ref: `${baseUrl}/Groups/${group._id}`, display: groupName }] : []
  })
  return {
    schemas: [userSchema.id],
    id: _id,
    ...omitUndefined({ externalId }),
    userName,
    ...omitUndefined({ name: attributes.name, displayName: attributes.displayName }),
    active,
    ...omitUndefined({ emails: attributes.emails }),
    ...(memberships.length === 0 ? {} : { groups: memberships }),
    meta: toMeta(user, userSchema, baseUrl)
  }
}

import type { OrganizationSettings, UserAccount } from '@burgee/contract/schemas'
import { describeGrant, type ProjectNames } from '../../../components/access/accessWords.ts'

type Permissions = OrganizationSettings['permissions']
type Grant = UserAccount['roles'][number]
type Person = Pick<UserAccount, 'roles' | 'groups' | 'isProvisioned' | 'hasPassword'>

/** The access of people without a role that counts. */
export const NO_ACCESS = 'none'

/** The access of a person under some settings: all permissions, the roles that count, or none. */
export function describePersonAccess(person: Person, permissions: Permissions, projects: ProjectNames): string {
  if (permissions.mode === 'flat') return 'all permissions'
  const counted = grantsOf(person, permissions).filter(
    ({ project }) => permissions.mode === 'full' || project === undefined
  )
  const reach = permissions.controlledBy === 'burgee' ? '' : ', without projects'
  const words = counted.map((grant) => `${describeGrant(grant, projects)}${grant.project === undefined ? reach : ''}`)
  return words.length === 0 ? NO_ACCESS : [...new Set(words)].join('; ')
}

/** The roles that count: with an identity provider in control, only those of groups for people who come from it. */
function grantsOf(
  { roles, groups = [], isProvisioned, hasPassword }: Person,
  { controlledBy, groups: mappings }: Permissions
): readonly Grant[] {
  const mapped = mappings.filter(({ group }) => groups.includes(group))
  const isExternal = isProvisioned || hasPassword === false
  return controlledBy === 'identityProvider' && isExternal ? mapped : [...roles, ...mapped]
}

/** What a change of the settings means for one person. */
export interface AccessChange {
  readonly id: string
  readonly name: string
  readonly before: string
  readonly after: string
}

/** The people whose access a change of the settings changes, those who lose all of it first. */
export function accessChanges(
  people: readonly (Person & Pick<UserAccount, 'user_id' | 'name' | 'isDisabled'>)[],
  before: Permissions,
  after: Permissions,
  projects: ProjectNames
): readonly AccessChange[] {
  return people
    .filter(({ isDisabled }) => !isDisabled)
    .map((person) => ({
      id: person.user_id,
      name: person.name,
      before: describePersonAccess(person, before, projects),
      after: describePersonAccess(person, after, projects)
    }))
    .filter((change) => change.before !== change.after)
    .toSorted((one, other) => Number(other.after === NO_ACCESS) - Number(one.after === NO_ACCESS))
}

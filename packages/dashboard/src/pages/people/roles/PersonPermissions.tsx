import type { GrantedPermissions, UserAccount } from '@burgee/contract/schemas'
import { useRead } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { describeGrant } from '../../../components/access/accessWords.ts'
import { useMissingPermission } from '../../../components/access/useMissingPermission.ts'
import { useProjectNames } from '../../../components/access/useProjectNames.ts'
import { Loaded, Skeleton } from '../../../components/States.tsx'
import { PermissionMatrix } from './PermissionMatrix.tsx'
import styles from './Roles.module.css'

/** The current permissions of a person in the organization and in each project. */
export function PersonPermissions({ user }: { readonly user: string }) {
  const session = useSession()
  const mayAsk = useMissingPermission('organization:write:settings') === undefined
  const person = useRead('getUser', { params: { user } })
  const permissions = useRead('getUserPermissions', { params: { user } }, { enabled: mayAsk })
  return (
    <Loaded query={person} title="The person could not be loaded" skeleton={<Skeleton rows={6} />}>
      {(account) => (
        <>
          <Grants account={account} />
          {mayAsk ? (
            <Loaded query={permissions} title="The permissions could not be loaded" skeleton={<Skeleton rows={6} />}>
              {(granted) => <Permissions name={account.name} granted={granted} />}
            </Loaded>
          ) : (
            <Permissions name={account.name} granted={session.permissions} />
          )}
        </>
      )}
    </Loaded>
  )
}

/** Where the permissions come from. */
function Grants({ account: { name, roles, groups = [], isDisabled } }: { readonly account: UserAccount }) {
  const projects = useProjectNames()
  const words = roles.map((grant) => describeGrant(grant, projects))
  return (
    <p className={styles.sources}>
      <bdi>{name}</bdi> {words.length > 0 ? `has the roles: ${words.join(', ')}.` : 'has no role.'}
      {groups.length > 0 && ` Groups of the identity provider: ${groups.join(', ')}.`}
      {isDisabled && ' The account is disabled, so it has no permissions.'}
    </p>
  )
}

function Permissions({ name, granted }: { readonly name: string; readonly granted: GrantedPermissions }) {
  const names = useProjectNames()
  const projects = Object.entries(granted.projects).map(([key, permissions]) => ({
    id: key,
    title: names.get(key) ?? key,
    granted: new Set(permissions),
    isProject: true as const
  }))
  return (
    <>
      <PermissionMatrix
        label={`Permissions of ${name}`}
        columns={[
          { id: ' organization', title: 'Organization', granted: new Set(granted.organization) },
          ...projects.sort((one, other) => one.title.localeCompare(other.title, 'en'))
        ]}
      />
      <p className={styles.soft}>
        The organization column applies to new projects, too. Only projects that you can see are listed.
      </p>
    </>
  )
}

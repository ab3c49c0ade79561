import type { UserAccount } from '@burgee/contract/schemas'
import { useSession } from '../../api/session.ts'
import { describeGrant } from '../../components/access/accessWords.ts'
import { useProjectNames } from '../../components/access/useProjectNames.ts'
import { Badge } from '../../components/Badge.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import styles from './People.module.css'
import { PersonActions } from './PersonActions.tsx'

/** People with their roles and how they sign in. */
export function PeopleTable({ people }: { readonly people: readonly UserAccount[] }) {
  return (
    <Table
      label="People"
      rows={people}
      rowKey={({ _id }) => _id}
      columns={[
        { id: 'name', title: 'Person', cell: (person) => <Person person={person} /> },
        { id: 'roles', title: 'Roles', cell: (person) => <Roles person={person} /> },
        { id: 'signIn', title: 'Sign-in', cell: (person) => <SignIn person={person} /> },
        {
          id: 'actions',
          title: <span className="visually-hidden">Actions</span>,
          align: 'end',
          cell: (person) => <PersonActions person={person} />
        }
      ]}
    />
  )
}

interface Props {
  readonly person: UserAccount
}

function Person({ person }: Props) {
  const { user } = useSession()
  const { name, email, isDisabled, isEmailVerified, user_id } = person
  return (
    <span className={styles.person}>
      <span className={styles.line}>
        <bdi className={styles.name} title={name}>
          {name}
        </bdi>
        {user_id === user.id && <Badge tone="partly">you</Badge>}
        {isDisabled && <Badge tone="danger">disabled</Badge>}
      </span>
      {email !== undefined && (
        <span className={styles.line}>
          <bdi className={styles.email}>{email}</bdi>
          {isEmailVerified === false && (
            <span title="The identity provider has not verified this address: it may belong to another person.">
              <Badge tone="waiting">not verified</Badge>
            </span>
          )}
        </span>
      )}
    </span>
  )
}

/** How many roles are named; the others are counted. */
const SHOWN = 3

function Roles({ person: { roles, groups = [] } }: Props) {
  const projects = useProjectNames()
  const { mode } = useSession()
  const words = roles.map((grant) => describeGrant(grant, projects))
  const hidden = words.length - SHOWN
  return (
    <span className={`${styles.roles} ${mode === 'flat' ? styles.soft : ''}`}>
      {words.slice(0, SHOWN).map((text) => (
        <bdi key={text}>{text}</bdi>
      ))}
      {hidden > 0 && <span title={words.slice(SHOWN).join('\n')}>and {hidden} more</span>}
      {words.length === 0 && <span className={styles.soft}>none</span>}
      {groups.length > 0 && (
        <span className={styles.soft} title={groups.join('\n')}>
          {groups.length === 1 ? 'and those of 1 group' : `and those of ${groups.length} groups`}
        </span>
      )}
    </span>
  )
}

function SignIn({ person }: Props) {
  const { server } = useSession()
  // Without the address, the other members of the account are not shown either.
  if (person.email === undefined) return <span className={styles.soft}>–</span>
  return (
    <span className={styles.signIn}>
      <span className={styles.line}>
        {describeSignIn(person, server.signInName)}
        {person.isProvisioned && (
          <span title="SCIM manages the name, the address and the status of this person.">
            <Badge tone="off">SCIM</Badge>
          </span>
        )}
      </span>
      <span className={styles.soft}>
        {person.lastLoginAt === undefined ? (
          'never signed in'
        ) : (
          <>
            signed in <Time value={person.lastLoginAt} />
          </>
        )}
      </span>
    </span>
  )
}

function describeSignIn({ hasPassword, mustChangePassword }: UserAccount, provider: string | undefined): string {
  if (hasPassword) return mustChangePassword ? 'with a one-time password' : 'with a password'
  return provider === undefined ? 'without a password' : `through ${provider}`
}

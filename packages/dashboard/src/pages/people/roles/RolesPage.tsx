import { useNavigate, useSearch } from '@tanstack/react-router'
import { useReadPage } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { useMissingPermission } from '../../../components/access/useMissingPermission.ts'
import { SelectField } from '../../../components/Field.tsx'
import { Page } from '../../../components/Page.tsx'
import { OrganizationTabs } from '../../../shell/OrganizationTabs.tsx'
import { ModeNotice } from '../ModeNotice.tsx'
import { PersonPermissions } from './PersonPermissions.tsx'
import styles from './Roles.module.css'
import { RoleTable } from './RoleTable.tsx'

/** The permissions of each role, and the current permissions of a person. */
export function RolesPage() {
  const { person } = useSearch({ strict: false })
  const navigate = useNavigate()
  const choose = (next: string) =>
    void navigate({
      to: '.',
      search: next === '' ? {} : { person: next },
      replace: true
    })
  return (
    <Page title="Roles" tabs={<OrganizationTabs />}>
      <ModeNotice />
      {person === undefined ? (
        <RoleTable who={<WhoField value="" onChange={choose} />} />
      ) : (
        <>
          <div className={styles.choices}>
            <WhoField value={person} onChange={choose} />
          </div>
          <PersonPermissions user={person} />
        </>
      )}
    </Page>
  )
}

interface WhoProps {
  /** The id of a person, or empty. */
  readonly value: string
  readonly onChange: (value: string) => void
}

function WhoField({ value, onChange }: WhoProps) {
  const { user } = useSession()
  const reason = useMissingPermission('organization:write:settings')
  const request = { query: { perPage: 1000, sortBy: 'name', sortOrder: 'asc' } } as const
  const people = useReadPage('listUsers', request).data?.items ?? []
  const listed = reason === undefined ? people : people.filter(({ user_id }) => user_id === user.id)
  return (
    <SelectField
      label="Permissions of"
      value={value}
      options={[
        { value: '', label: 'each role' },
        ...listed.map(({ _id, name, email }) => ({
          value: _id,
          label: email === undefined ? name : `${name} (${email})`
        }))
      ]}
      onChange={onChange}
      hint={reason === undefined ? undefined : 'You see your own permissions. Administrators see those of everyone.'}
    />
  )
}

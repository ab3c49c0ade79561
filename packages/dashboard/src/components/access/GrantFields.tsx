import type { RoleGrant } from '@burgee/contract/schemas'
import { Plus, X } from 'lucide-react'
import { useSession } from '../../api/session.ts'
import { Button, IconButton } from '../Button.tsx'
import { SelectField } from '../Field.tsx'
import styles from './Access.module.css'
import { isOrganizationRole } from './accessWords.ts'
import { newGrant, roleOptions, withProject, withRole } from './grantRows.ts'
import { useProjects } from './useProjectNames.ts'

interface Props {
  readonly grants: readonly RoleGrant[]
  readonly onChange: (grants: readonly RoleGrant[]) => void
  /** Roles of API clients count in every mode. */
  readonly isOfClient?: boolean
  readonly error?: string | undefined
}

/** A list of roles, each in the organization or in one project. */
export function GrantFields({ grants, onChange, isOfClient = false, error }: Props) {
  const { mode } = useSession()
  const replace = (index: number, next: RoleGrant) =>
    onChange(grants.map((grant, other) => (other === index ? next : grant)))
  return (
    <fieldset className={styles.grants}>
      <legend>Roles</legend>
      {!isOfClient && mode === 'flat' && (
        <p className={styles.soft}>
          In the current mode (flat), everyone has all permissions. Roles apply in the other modes.
        </p>
      )}
      {!isOfClient && mode === 'basic' && (
        <p className={styles.soft}>In the current mode (basic), only roles in the organization apply.</p>
      )}
      {grants.length === 0 && (
        <p className={styles.soft}>
          {isOfClient
            ? 'Without a role, the client has no permissions of its own.'
            : 'Without a role, the person can sign in but has no permissions.'}
        </p>
      )}
      {grants.map((grant, index) => (
        <GrantRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own, and hold no state.
          key={index}
          grant={grant}
          label={`Role ${index + 1}`}
          onChange={(next) => replace(index, next)}
          onRemove={() => onChange(grants.filter((_, other) => other !== index))}
        />
      ))}
      {error && <p className={styles.error}>{error}</p>}
      <div>
        <Button icon={<Plus size={16} aria-hidden="true" />} onClick={() => onChange([...grants, newGrant])}>
          Add a role
        </Button>
      </div>
    </fieldset>
  )
}

interface RowProps {
  readonly grant: RoleGrant
  readonly label: string
  readonly onChange: (grant: RoleGrant) => void
  readonly onRemove: () => void
}

function GrantRow({ grant, label, onChange, onRemove }: RowProps) {
  const projects = useProjects()
  const known = projects.find(({ _id, key }) => _id === grant.project || key === grant.project)
  const places = [
    { value: '', label: 'organization and all projects' },
    ...projects.map(({ _id, name }) => ({ value: _id, label: name })),
    ...(grant.project !== undefined && !known ? [{ value: grant.project, label: 'a project that you cannot see' }] : [])
  ]
  return (
    <div className={styles.grant}>
      <SelectField
        label={label}
        isLabelHidden
        value={grant.role}
        options={roleOptions}
        onChange={(role) => onChange(withRole(grant, role))}
      />
      <span aria-hidden="true">in</span>
      <SelectField
        label={`${label}: scope`}
        isLabelHidden
        value={known?._id ?? grant.project ?? ''}
        options={isOrganizationRole(grant.role) ? places.slice(0, 1) : places}
        onChange={(place) => onChange(withProject(grant, place))}
      />
      <IconButton label={`Remove ${label.toLowerCase()}`} onClick={onRemove}>
        <X size={16} aria-hidden="true" />
      </IconButton>
    </div>
  )
}

import type { OrganizationSettings, Project } from '@burgee/contract/schemas'
import { Plus, X } from 'lucide-react'
import { isOrganizationRole } from '../../../components/access/accessWords.ts'
import { roleOptions, withProject, withRole } from '../../../components/access/grantRows.ts'
import { Button, IconButton } from '../../../components/Button.tsx'
import { SelectField, TextField } from '../../../components/Field.tsx'
import styles from './General.module.css'

type Mapping = OrganizationSettings['permissions']['groups'][number]

interface Props {
  readonly mappings: readonly Mapping[]
  readonly projects: readonly Project[]
  readonly onChange: (mappings: Mapping[]) => void
  /** Whether groups without a name are marked. */
  readonly isChecked: boolean
}

/** The roles that people have by their groups at the identity provider. */
export function GroupMappings({ mappings, projects, onChange, isChecked }: Props) {
  const replace = (index: number, mapping: Mapping) =>
    onChange(mappings.map((other, at) => (at === index ? mapping : other)))
  return (
    <fieldset className={styles.mappings}>
      <legend>Roles of groups</legend>
      <p className={styles.soft}>
        People in a group have its role. The identity provider reports groups at sign-in or by provisioning.
      </p>
      {mappings.map((mapping, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: mappings have no id, and rows are not moved.
        <div key={index} className={styles.mapping}>
          <TextField
            label="Group"
            value={mapping.group}
            maxLength={200}
            error={isChecked && mapping.group.trim() === '' ? 'Enter the name of a group.' : undefined}
            onChange={(group) => replace(index, { ...mapping, group })}
          />
          <SelectField
            label="Role"
            value={mapping.role}
            options={roleOptions}
            onChange={(role) => replace(index, { group: mapping.group, ...withRole(mapping, role) })}
          />
          <SelectField
            label="Scope"
            value={mapping.project ?? ''}
            disabled={isOrganizationRole(mapping.role)}
            options={[
              { value: '', label: 'The organization' },
              ...projects.map(({ _id, name }) => ({ value: _id, label: name })),
              ...(mapping.project && !projects.some(({ _id }) => _id === mapping.project)
                ? [{ value: mapping.project, label: 'a project that you cannot see' }]
                : [])
            ]}
            onChange={(project) => replace(index, { group: mapping.group, ...withProject(mapping, project) })}
          />
          <IconButton
            label={`Remove the role of ${mapping.group || 'this group'}`}
            onClick={() => onChange(mappings.filter((_, at) => at !== index))}
          >
            <X size={16} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      <div>
        <Button
          icon={<Plus size={16} aria-hidden="true" />}
          onClick={() => onChange([...mappings, { group: '', role: 'viewer' }])}
        >
          Add a group
        </Button>
      </div>
    </fieldset>
  )
}

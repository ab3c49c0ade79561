import type { RoleGrant, UpdateUserAccount, UserAccount } from '@burgee/contract/schemas'
import { useState } from 'react'
import { issueAt, issueIn } from '../../api/issues.ts'
import { useWrite } from '../../api/query.ts'
import { GrantFields } from '../../components/access/GrantFields.tsx'
import { isSameGrants } from '../../components/access/grantRows.ts'
import { TextField } from '../../components/Field.tsx'
import { FormDialog } from '../../components/forms/FormDialog.tsx'
import { notify } from '../../components/Toasts.ts'
import styles from './People.module.css'

interface Props {
  readonly person: UserAccount
  readonly onClose: () => void
}

/** Name and roles of a person. */
export function EditPersonDialog({ person, onClose }: Props) {
  const [name, setName] = useState(person.name)
  const [roles, setRoles] = useState<readonly RoleGrant[]>(person.roles)
  const update = useWrite('updateUser')
  const body: UpdateUserAccount = {
    ...(name.trim() === person.name ? {} : { name: name.trim() }),
    ...(isSameGrants(roles, person.roles) ? {} : { roles: [...roles] })
  }
  const isChanged = Object.keys(body).length > 0
  const params = { user: person._id }
  const submit = () => {
    update.mutate(
      { params, body },
      {
        onSuccess: (saved) => {
          onClose()
          notify({
            text: `${saved.name} saved`,
            onUndo: () => update.mutate({ params, body: { name: person.name, roles: person.roles } })
          })
        }
      }
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Edit ${person.name}`}
      action="Save"
      onSubmit={submit}
      isBusy={update.isPending}
      reason={isChanged ? undefined : 'there are no changes'}
      error={update.error}
      fields={['name', 'roles']}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        readOnly={person.isProvisioned}
        hint={person.isProvisioned ? 'Managed by SCIM: change it at the identity provider.' : undefined}
        error={issueAt(update.error, 'name')}
      />
      <GrantFields grants={roles} onChange={setRoles} error={issueIn(update.error, 'roles')} />
      <p className={styles.soft}>Removing a role takes effect with the next request.</p>
    </FormDialog>
  )
}

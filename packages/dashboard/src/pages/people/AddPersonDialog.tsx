import type { RoleGrant } from '@burgee/contract/schemas'
import { useState } from 'react'
import { issueAt, issueIn } from '../../api/issues.ts'
import { useWrite } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { GrantFields } from '../../components/access/GrantFields.tsx'
import { newGrant } from '../../components/access/grantRows.ts'
import { showSecret } from '../../components/access/shownSecrets.ts'
import { TextField } from '../../components/Field.tsx'
import { FormDialog } from '../../components/forms/FormDialog.tsx'
import { notify } from '../../components/Toasts.ts'
import styles from './People.module.css'

/** Adds a person, and shows their one-time password. */
export function AddPersonDialog({ onClose }: { readonly onClose: () => void }) {
  const { server } = useSession()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [roles, setRoles] = useState<readonly RoleGrant[]>([newGrant])
  const create = useWrite('createUser', ['listUsers', 'listMembers'])
  const submit = () => {
    create.mutate(
      { body: { email: email.trim(), name: name.trim(), roles: [...roles] } },
      {
        onSuccess: (user) => {
          onClose()
          if (user.password === undefined) {
            return notify({ text: `Added ${user.name}, who signs in through the identity provider` })
          }
          showSecret({
            title: `One-time password of ${user.name}`,
            secret: user.password,
            what: 'the password',
            text: (
              <>
                {user.name} is added. Send them this password and the address{' '}
                <code>{server.publicUrl ?? location.origin}</code>. They replace it at the first sign-in.
              </>
            )
          })
        }
      }
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Add a person"
      action="Add person"
      onSubmit={submit}
      isBusy={create.isPending}
      error={create.error}
      fields={['email', 'name', 'roles']}
    >
      <TextField
        label="E-mail address"
        type="email"
        value={email}
        onChange={setEmail}
        placeholder="ada@example.com"
        error={issueAt(create.error, 'email')}
        autoFocus
      />
      <TextField label="Name" value={name} onChange={setName} error={issueAt(create.error, 'name')} />
      <GrantFields grants={roles} onChange={setRoles} error={issueIn(create.error, 'roles')} />
      <p className={styles.soft}>
        {server.signInName === undefined
          ? 'The next dialog shows a one-time password.'
          : `People who sign in through ${server.signInName} are added automatically. Add a person here to assign roles in advance, or if they sign in with a password.`}
      </p>
    </FormDialog>
  )
}

import { useState } from 'react'
import { issueAt } from '../../../api/issues.ts'
import { useWrite } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { showSecret } from '../../../components/access/shownSecrets.ts'
import { TextField } from '../../../components/Field.tsx'
import { FormDialog } from '../../../components/forms/FormDialog.tsx'
import { fromLocalTime } from '../../../components/keys/restrictions.ts'
import { browserTimeZone } from '../../../preferences/preferences.ts'
import styles from '../Clients.module.css'

/** Creates a SCIM token, and shows it once. */
export function CreateScimTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const { server } = useSession()
  const [name, setName] = useState('')
  const [expiry, setExpiry] = useState('')
  const create = useWrite('createScimToken', ['listScimTokens'])
  const submit = () => {
    const body = { name: name.trim(), ...(expiry === '' ? {} : { expiresAt: fromLocalTime(expiry) }) }
    create.mutate(
      { body },
      {
        onSuccess: (made) => {
          onClose()
          showSecret({
            title: `SCIM token ${made.name}`,
            secret: made.secret,
            what: 'the token',
            text: (
              <>
                Enter it at the identity provider as the bearer token, with the address{' '}
                <code className={styles.wrap}>{`${server.publicUrl ?? location.origin}/scim/v2`}</code>.
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
      title="New SCIM token"
      action="Create token"
      onSubmit={submit}
      isBusy={create.isPending}
      error={create.error}
      fields={['name', 'expiresAt']}
    >
      <p>This token can add people and put them into groups, so only people with all permissions can create one.</p>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        isCode
        placeholder="okta"
        hint={`The history names it ${name.trim() || 'okta'}@scim.`}
        error={issueAt(create.error, 'name')}
        autoFocus
      />
      <TextField
        label="Expires"
        type="datetime-local"
        value={expiry}
        onChange={setExpiry}
        hint={`In the time zone ${browserTimeZone()}. Leave empty for no expiry.`}
        error={issueAt(create.error, 'expiresAt')}
      />
    </FormDialog>
  )
}

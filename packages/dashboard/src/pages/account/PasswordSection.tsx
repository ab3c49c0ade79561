import { useState } from 'react'
import { issueAt } from '../../api/issues.ts'
import { useWrite } from '../../api/query.ts'
import { leaveToSignIn } from '../../api/signIn.ts'
import { Button } from '../../components/Button.tsx'
import { TextField } from '../../components/Field.tsx'
import { FormDialog } from '../../components/forms/FormDialog.tsx'
import { Section } from '../../components/Page.tsx'
import styles from './Account.module.css'

/** The password of the person. */
export function PasswordSection() {
  const [isChanging, setChanging] = useState(false)
  return (
    <Section title="Password" actions={<Button onClick={() => setChanging(true)}>Change…</Button>}>
      <p className={styles.soft}>Changing it signs you out everywhere, including here.</p>
      {isChanging && <PasswordDialog onClose={() => setChanging(false)} />}
    </Section>
  )
}

function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  // Nothing can be read afterwards: the session is over.
  const change = useWrite('changePassword', [])
  const submit = () => {
    change.mutate({ body: { currentPassword, newPassword } }, { onSuccess: leaveToSignIn })
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Change your password"
      action="Change and sign out everywhere"
      onSubmit={submit}
      isBusy={change.isPending}
      error={change.error}
      fields={['currentPassword', 'newPassword']}
    >
      <p>This ends all of your sessions and revokes the access of applications. Sign in again with the new password.</p>
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        value={currentPassword}
        onChange={setCurrent}
        error={issueAt(change.error, 'currentPassword')}
        autoFocus
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        value={newPassword}
        onChange={setNew}
        hint="A sentence works well. Common passwords, and those with your name or e-mail address, are rejected."
        error={issueAt(change.error, 'newPassword')}
      />
    </FormDialog>
  )
}

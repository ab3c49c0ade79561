import { type FormEvent, useState } from 'react'
import { useWrite } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { ExportButton } from '../../components/export/ExportButton.tsx'
import { TextField } from '../../components/Field.tsx'
import { DocsLink } from '../../components/links/DocsLink.tsx'
import { Section } from '../../components/Page.tsx'
import { Banner, ErrorBanner } from '../../components/States.tsx'
import styles from '../../components/settings/Settings.module.css'
import { describeErasure } from './describeErasure.ts'
import { useProject } from './ProjectContext.ts'

/** Exports and erases what is stored about one user of the applications. */
export function UserDataPage() {
  const project = useProject()
  const cannotUse = useMissingPermission('project:write:settings', project.key)
  const [userId, setUserId] = useState('')
  const [isAsking, setAsking] = useState(false)
  const erase = useWrite('eraseUserData')
  const id = userId.trim()
  const reason = cannotUse ?? (id === '' ? 'enter a user ID' : undefined)
  const submit = (event: FormEvent) => event.preventDefault()
  const params = { project: project.key, user_id: id }
  return (
    <Section title="User data requests" actions={<DocsLink page="operations/personal-data.md" />}>
      <form onSubmit={submit} className={styles.form}>
        <p className={styles.lead}>
          Exports or erases everything that this project stores about a user of your applications. The ID is stored
          neither in the address of this page nor in the browser.
        </p>
        <TextField
          label="User ID"
          value={userId}
          isCode
          onChange={(text) => {
            setUserId(text)
            erase.reset()
          }}
          hint="The user_id that applications send."
        />
        <div className={styles.buttons}>
          <ExportButton
            operation="exportUserData"
            request={{ params }}
            file={`user-data-${project.key}.ndjson`}
            reason={reason}
          >
            Export
          </ExportButton>
          <Button onClick={() => setAsking(true)} reason={reason}>
            Erase…
          </Button>
        </div>
        {erase.data && (
          <Banner tone="brand">
            <span role="status">{describeErasure(erase.data)}</span>
          </Banner>
        )}
      </form>
      {isAsking && (
        <ConfirmDialog
          isOpen
          onClose={() => setAsking(false)}
          title="Erase the data of this user?"
          action="Erase"
          typed={id}
          isDangerous
          isBusy={erase.isPending}
          onConfirm={() => erase.mutate({ params }, { onSuccess: () => setAsking(false) })}
          error={erase.error && <ErrorBanner error={erase.error} title="Not erased" />}
        >
          <p>
            Removes stored properties, opt-in choices and overrides in all environments of {project.name}. In events, a
            random ID replaces the user ID, so counts and results are kept. This can take minutes, and cannot be undone.
          </p>
          <p className={styles.soft}>
            Stop the applications from sending data of this user first. Backups and logs are not changed.
          </p>
        </ConfirmDialog>
      )}
    </Section>
  )
}

import { useState } from 'react'
import { issueAt } from '../../api/issues.ts'
import { useWrite } from '../../api/query.ts'
import { Button } from '../Button.tsx'
import { TextField } from '../Field.tsx'
import { FormDialog } from '../forms/FormDialog.tsx'
import styles from '../settings/Settings.module.css'
import { notify } from '../Toasts.ts'

interface Props {
  /** The key of a project; absent for the organization. */
  readonly project?: string
  readonly reason?: string | undefined
  /** Whether there is no connection. */
  readonly isFree?: boolean
}

/** Connects the organization or a project to an issue tracker, and ends a connection. */
export function IssueTracker({ project, reason, isFree = false }: Props) {
  const [open, setOpen] = useState<'connect' | 'disconnect'>()
  const close = () => setOpen(undefined)
  return (
    <div className={styles.buttons}>
      <Button onClick={() => setOpen('connect')} reason={reason}>
        Connect…
      </Button>
      {!isFree && (
        <Button kind="quiet" onClick={() => setOpen('disconnect')} reason={reason}>
          Disconnect…
        </Button>
      )}
      {open && <ConnectionDialog action={open} project={project} onClose={close} />}
    </div>
  )
}

interface DialogProps {
  readonly action: 'connect' | 'disconnect'
  readonly project: string | undefined
  readonly onClose: () => void
}

function ConnectionDialog({ action, project, onClose }: DialogProps) {
  const [tracker, setTracker] = useState('jira')
  const [token, setToken] = useState('')
  const [baseUrl, setBaseUrl] = useState('')
  const writes = {
    connectProject: useWrite('connectIssueTrackerProject'),
    connect: useWrite('connectIssueTrackerOrganization'),
    disconnectProject: useWrite('deleteIssueTrackerProject'),
    disconnect: useWrite('deleteIssueTrackerOrganization')
  }
  const isConnecting = action === 'connect'
  const write = project === undefined ? writes[action] : writes[`${action}Project` as const]
  const missing = [tracker, token, ...(isConnecting ? [baseUrl] : [])].some((text) => text.trim() === '')
  const submit = () => {
    const params = { issue_tracker: tracker.trim(), token: token.trim() }
    const done = {
      onSuccess: () => {
        onClose()
        notify({ text: isConnecting ? 'Issue tracker connected' : 'Issue tracker disconnected' })
      }
    }
    if (!isConnecting) (project === undefined ? writes.disconnect : writes.disconnectProject).mutate({ params }, done)
    else if (project === undefined) writes.connect.mutate({ params, body: { baseUrl } }, done)
    else writes.connectProject.mutate({ params, body: { baseUrl, project } }, done)
  }
  return (
    <FormDialog
      onClose={onClose}
      title={isConnecting ? 'Connect an issue tracker' : 'Disconnect an issue tracker'}
      action={isConnecting ? 'Connect' : 'Disconnect'}
      onSubmit={submit}
      isDangerous={!isConnecting}
      isBusy={write.isPending}
      reason={missing ? 'fill in all fields' : undefined}
      error={write.error}
      fields={isConnecting ? ['baseUrl'] : []}
    >
      <TextField label="Issue tracker" value={tracker} onChange={setTracker} isCode autoFocus />
      <TextField
        label="Connection token"
        value={token}
        onChange={setToken}
        isCode
        hint={
          isConnecting
            ? 'Identifies the connection. Keep it: the server does not show it again, and you need it to disconnect.'
            : 'The token that you entered to connect the issue tracker.'
        }
      />
      {isConnecting && (
        <TextField
          label="URL"
          type="url"
          placeholder="https://issues.example.com"
          value={baseUrl}
          onChange={setBaseUrl}
          hint="Browsers open issues below this URL."
          error={issueAt(write.error, 'baseUrl')}
        />
      )}
      {!isConnecting && (
        <p className={styles.soft}>Features keep their links to issues, but the links no longer work.</p>
      )}
    </FormDialog>
  )
}

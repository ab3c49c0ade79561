import type { Project } from '@burgee/contract/schemas'
import { useState } from 'react'
import { issueAt } from '../../api/issues.ts'
import { useRead, useWrite } from '../../api/query.ts'
import { usePermission } from '../../api/session.ts'
import { Button } from '../Button.tsx'
import { Code } from '../Copy.tsx'
import { TextField } from '../Field.tsx'
import { FormDialog } from '../forms/FormDialog.tsx'
import styles from '../settings/Settings.module.css'
import { notify } from '../Toasts.ts'

interface Props {
  /** Absent for the organization. */
  readonly project?: Pick<Project, '_id' | 'key'>
  readonly reason?: string | undefined
}

/** Connects the organization or a project to an issue tracker, or ends the connection. */
export function IssueTracker({ project, reason }: Props) {
  const [open, setOpen] = useState<'connect' | 'disconnect'>()
  const isAllowed = usePermission('organization:read:settings')
  const connections = useRead('listIssueTrackers', {}, { enabled: isAllowed }).data
  const own = connections?.find(({ _project }) => _project === project?._id)
  if (isAllowed && !connections) return null
  return (
    <>
      {own && (
        <p>
          {project ? 'This project has its own connection' : 'The organization has a connection'} to{' '}
          <Code>{own.issue_tracker}</Code>
          {!project && (
            <>
              {' '}
              at{' '}
              <a href={own.baseUrl} target="_blank" rel="noreferrer">
                {own.baseUrl}
              </a>
            </>
          )}
          , with the token <Code>{own.token}</Code>.
        </p>
      )}
      <div className={styles.buttons}>
        {own ? (
          <Button onClick={() => setOpen('disconnect')} reason={reason}>
            Disconnect…
          </Button>
        ) : (
          <Button onClick={() => setOpen('connect')} reason={reason}>
            Connect…
          </Button>
        )}
      </div>
      {open && (
        <ConnectionDialog
          action={open}
          project={project?.key}
          known={own?.issue_tracker}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

interface DialogProps {
  readonly action: 'connect' | 'disconnect'
  readonly project: string | undefined
  /** The issue tracker of the connection. */
  readonly known: string | undefined
  readonly onClose: () => void
}

function ConnectionDialog({ action, project, known = 'jira', onClose }: DialogProps) {
  const [tracker, setTracker] = useState(known)
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
        notify({ text: isConnecting ? 'Connected the issue tracker' : 'Disconnected the issue tracker' })
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

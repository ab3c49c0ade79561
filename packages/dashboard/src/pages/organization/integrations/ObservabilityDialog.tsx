import type { ObservabilityIntegrations } from '@burgee/contract/schemas'
import { useState } from 'react'
import { issueAt } from '../../../api/issues.ts'
import { useWrite } from '../../../api/query.ts'
import { TextField } from '../../../components/Field.tsx'
import { FormDialog } from '../../../components/forms/FormDialog.tsx'
import { notify } from '../../../components/Toasts.ts'

/** A connected observability system. */
export type System = ObservabilityIntegrations['environments'][number]

interface Props {
  /** Absent for a new connection. */
  readonly system: System | undefined
  readonly onClose: () => void
}

const fields = ['observabilityEnvironmentId', 'environmentUrl', 'accessToken'] as const

/** Connects an observability system, or changes the address or token of a connection. */
export function ObservabilityDialog({ system, onClose }: Props) {
  const [id, setId] = useState(system?.observabilityEnvironmentId ?? '')
  const [url, setUrl] = useState(system?.environmentUrl ?? '')
  const [token, setToken] = useState('')
  const connect = useWrite('updateObservabilityIntegration')
  const body = { observabilityEnvironmentId: id.trim(), environmentUrl: url.trim(), accessToken: token.trim() }
  const isMissing = Object.values(body).includes('')
  const submit = () => {
    connect.mutate(
      { body },
      {
        onSuccess: () => {
          onClose()
          notify({ text: `Connected ${body.observabilityEnvironmentId}` })
        }
      }
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title={system ? 'Change the connection' : 'Connect an observability system'}
      action={system ? 'Save' : 'Connect'}
      onSubmit={submit}
      isBusy={connect.isPending}
      reason={isMissing ? 'fill in all fields' : undefined}
      error={connect.error}
      fields={fields}
    >
      <TextField
        label="ID of the system"
        value={id}
        onChange={setId}
        isCode
        readOnly={system !== undefined}
        hint="Projects refer to the system by this ID."
        error={issueAt(connect.error, 'observabilityEnvironmentId')}
        autoFocus={!system}
      />
      <TextField
        label="URL"
        type="url"
        placeholder="https://abc12345.example.com"
        value={url}
        onChange={setUrl}
        hint="The server posts changes to /api/v2/events/ingest below this URL."
        error={issueAt(connect.error, 'environmentUrl')}
      />
      <TextField
        label="Access token"
        type="password"
        autoComplete="off"
        value={token}
        onChange={setToken}
        isCode
        hint={system ? 'Enter it again: the server does not show it.' : 'The server shows only its last characters.'}
        error={issueAt(connect.error, 'accessToken')}
        autoFocus={system !== undefined}
      />
    </FormDialog>
  )
}

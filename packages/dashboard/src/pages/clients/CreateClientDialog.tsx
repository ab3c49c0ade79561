import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { issueAt } from '../../api/issues.ts'
import { useWrite } from '../../api/query.ts'
import { showSecret } from '../../components/access/shownSecrets.ts'
import { CheckField, SelectField, TextField } from '../../components/Field.tsx'
import { FormDialog } from '../../components/forms/FormDialog.tsx'
import { useNavigateFromHere } from '../../components/links/useNavigateFromHere.ts'
import { AddressField, clientFieldNames, LimitFields, RoleFields } from './ClientFields.tsx'
import styles from './Clients.module.css'
import { type ClientForm, type ClientKind, newClient, toNewClient } from './clientForm.ts'

const kinds: readonly { readonly value: ClientKind; readonly label: string; readonly hint: string }[] = [
  {
    value: 'program',
    label: 'Program: acts for itself',
    hint: 'A script or service that gets access tokens with its ID and secret.'
  },
  {
    value: 'application',
    label: 'Application: people sign in to it',
    hint: 'It has the permissions of the person who uses it.'
  },
  {
    value: 'assistant',
    label: 'Assistant: people sign in to it',
    hint: 'Like an application. The history attributes its changes to an assistant.'
  }
]

/** Creates a client. Shows its secret once, then its page. */
export function CreateClientDialog({ onClose }: { readonly onClose: () => void }) {
  const { org = '' } = useParams({ strict: false })
  const navigate = useNavigateFromHere()
  const [kind, setKind] = useState<ClientKind>('program')
  const [isPublic, setPublic] = useState(true)
  const [clientId, setClientId] = useState('')
  const [form, setForm] = useState(newClient)
  const create = useWrite('createApiClient', ['listApiClients'])
  const set = (edit: Partial<ClientForm>) => setForm({ ...form, ...edit })
  const open = (client: string) => void navigate({ to: '/o/$org/settings/clients/$client', params: { org, client } })
  const submit = () => {
    create.mutate(
      { body: toNewClient(form, { kind, isPublic, clientId }) },
      {
        onSuccess: ({ _id, name, clientId: created, clientSecret }) => {
          onClose()
          if (clientSecret === undefined) return open(_id)
          showSecret({
            title: `Secret of ${name}`,
            secret: clientSecret,
            what: 'the secret',
            text: (
              <>
                The client ID is <code className={styles.wrap}>{created}</code>. Configure the program with both.
              </>
            ),
            onClose: () => open(_id)
          })
        }
      }
    )
  }
  const fields = { form, set, error: create.error }
  return (
    <FormDialog
      onClose={onClose}
      title="New client"
      action="Create client"
      onSubmit={submit}
      isBusy={create.isPending}
      error={create.error}
      fields={clientFieldNames}
    >
      <SelectField
        label="Type"
        value={kind}
        options={kinds}
        onChange={setKind}
        hint={kinds.find(({ value }) => value === kind)?.hint}
      />
      <TextField
        label="Name"
        value={form.name}
        onChange={(name) => set({ name })}
        error={issueAt(create.error, 'name')}
      />
      <TextField
        label="Client ID"
        value={clientId}
        onChange={setClientId}
        isCode
        hint="Cannot be changed later. Generated if empty."
        error={issueAt(create.error, 'clientId')}
      />
      {kind === 'program' ? (
        <RoleFields {...fields} />
      ) : (
        <>
          <AddressField {...fields} />
          <ConfidentialField isPublic={isPublic} onChange={setPublic} />
        </>
      )}
      <details className={styles.more}>
        <summary>Restrictions</summary>
        <div className={styles.form}>
          <LimitFields {...fields} />
        </div>
      </details>
    </FormDialog>
  )
}

interface ConfidentialProps {
  readonly isPublic: boolean
  readonly onChange: (isPublic: boolean) => void
}

/** Whether a client that people sign in to has a secret. */
function ConfidentialField({ isPublic, onChange }: ConfidentialProps) {
  return (
    <CheckField
      label="Confidential: it has a server that keeps a secret"
      isChecked={!isPublic}
      onChange={(hasSecret) => onChange(!hasSecret)}
      hint="Web pages, mobile apps and command-line tools cannot keep a secret, and use PKCE alone."
    />
  )
}

import type { ApiClient } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useWrite } from '../../api/query.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { useNavigateFromHere } from '../../components/links/useNavigateFromHere.ts'
import { Section } from '../../components/Page.tsx'
import { ErrorBanner } from '../../components/States.tsx'
import { notify } from '../../components/Toasts.ts'
import styles from './Clients.module.css'
import { useClientReason } from './useClientReason.ts'

/** Deletes a client after its id was typed. */
export function DeleteClient({ client }: { readonly client: ApiClient }) {
  const { org = '' } = useParams({ strict: false })
  const navigate = useNavigateFromHere()
  const [isAsking, setAsking] = useState(false)
  const reason = useClientReason(client)
  const remove = useWrite('deleteApiClient', ['listApiClients'])
  const confirm = () =>
    remove.mutate(
      { params: { client: client._id } },
      {
        onSuccess: () => {
          notify({ text: `Deleted ${client.name}` })
          void navigate({ to: '/o/$org/settings/clients', params: { org } })
        }
      }
    )
  return (
    <Section title="Delete this client">
      <div className={styles.danger}>
        <p>All of its tokens become invalid at once, including those of people who use it.</p>
        <Button onClick={() => setAsking(true)} reason={reason}>
          Delete client…
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete ${client.name}`}
        action="Delete client"
        typed={client.clientId}
        isDangerous
        isBusy={remove.isPending}
        onConfirm={confirm}
        error={remove.error && <ErrorBanner error={remove.error} />}
      >
        <p>All tokens of the client become invalid at once. This cannot be undone.</p>
      </ConfirmDialog>
    </Section>
  )
}

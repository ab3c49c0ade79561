import type { ApiClient } from '@burgee/contract/schemas'
import { useState } from 'react'
import { useWrite } from '../../api/query.ts'
import { SecretDialog } from '../../parts/access/SecretDialog.tsx'
import { Button } from '../../parts/Button.tsx'
import { ConfirmDialog } from '../../parts/Dialog.tsx'
import { Section } from '../../parts/Page.tsx'
import { ErrorBanner } from '../../parts/States.tsx'
import styles from './Clients.module.css'
import { useClientReason } from './useClientReason.ts'

/** Replaces the secret of a client, which is shown once. */
export function ClientSecret({ client }: { readonly client: ApiClient }) {
  const [isAsking, setAsking] = useState(false)
  const reason = useClientReason(client)
  const rotate = useWrite('rotateApiClientSecret', ['getApiClient', 'listApiClients'])
  const confirm = () => rotate.mutate({ params: { client: client._id } }, { onSuccess: () => setAsking(false) })
  return (
    <Section
      title="Secret"
      actions={
        <Button onClick={() => setAsking(true)} reason={reason}>
          Replace…
        </Button>
      }
    >
      <p className={styles.soft}>The server keeps a hash only. A lost secret is replaced.</p>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Replace the secret of ${client.name}`}
        action="Replace secret"
        isDangerous
        isBusy={rotate.isPending}
        onConfirm={confirm}
        error={rotate.error && <ErrorBanner error={rotate.error} />}
      >
        <p>The present secret and all tokens of this client end at once, also those of people who use it.</p>
        <p>This cannot be undone. To change over without a gap, create a second client and delete this one later.</p>
      </ConfirmDialog>
      {rotate.data && (
        <SecretDialog
          title={`New secret of ${client.name}`}
          secret={rotate.data.clientSecret}
          what="the secret"
          onClose={() => rotate.reset()}
        >
          <p>Put it into the settings of the program, which is refused until then.</p>
        </SecretDialog>
      )}
    </Section>
  )
}

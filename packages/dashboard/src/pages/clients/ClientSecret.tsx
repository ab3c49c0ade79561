import type { ApiClient } from '@burgee/contract/schemas'
import { useState } from 'react'
import { useWrite } from '../../api/query.ts'
import { showSecret } from '../../components/access/shownSecrets.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { Section } from '../../components/Page.tsx'
import { ErrorBanner } from '../../components/States.tsx'
import styles from './Clients.module.css'
import { useClientReason } from './useClientReason.ts'

/** Replaces the secret of a client, which is shown once. */
export function ClientSecret({ client }: { readonly client: ApiClient }) {
  const [isAsking, setAsking] = useState(false)
  const reason = useClientReason(client)
  const rotate = useWrite('rotateApiClientSecret', ['getApiClient', 'listApiClients'])
  const confirm = () => {
    rotate.mutate(
      { params: { client: client._id } },
      {
        onSuccess: ({ clientSecret }) => {
          setAsking(false)
          showSecret({
            title: `New secret of ${client.name}`,
            secret: clientSecret,
            what: 'the secret',
            text: 'Configure the program with it. Until then, its requests are rejected.'
          })
        }
      }
    )
  }
  return (
    <Section
      title="Secret"
      actions={
        <Button onClick={() => setAsking(true)} reason={reason}>
          Replace…
        </Button>
      }
    >
      <p className={styles.soft}>The server stores only a hash. If the secret is lost, replace it.</p>
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
        <p>
          The current secret and all tokens of this client become invalid at once, including those of people who use it.
        </p>
        <p>This cannot be undone. To avoid downtime, create a second client and delete this one later.</p>
      </ConfirmDialog>
    </Section>
  )
}

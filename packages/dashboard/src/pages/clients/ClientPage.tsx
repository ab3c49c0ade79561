import type { ApiClient } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { personName, usePeopleNames } from '../../components/Actor.tsx'
import { Code, CopyButton } from '../../components/Copy.tsx'
import { Page } from '../../components/Page.tsx'
import { Banner, Loaded, Skeleton } from '../../components/States.tsx'
import { formatMoment, Time } from '../../components/Time.tsx'
import { Kind } from './ClientListPage.tsx'
import { ClientSecret } from './ClientSecret.tsx'
import { ClientSettings } from './ClientSettings.tsx'
import styles from './Clients.module.css'
import { DeleteClient } from './DeleteClient.tsx'
import { useClientReason } from './useClientReason.ts'

/** One client: its permissions, its secret, and its deletion. */
export function ClientPage() {
  const { org = '', client: reference = '' } = useParams({ strict: false })
  const query = useRead('getApiClient', { params: { client: reference } })
  const client = query.data
  return (
    <Page
      title={client?.name ?? 'Client'}
      width="form"
      above={
        <Link to="/o/$org/settings/clients" params={{ org }}>
          ← Clients
        </Link>
      }
      beside={client && <Kind client={client} />}
    >
      <Loaded query={query} title="The client could not be loaded" skeleton={<Skeleton rows={4} height={96} />}>
        {(loaded) => (
          <>
            <Facts client={loaded} />
            <ClientSettings key={loaded.updatedAt} client={loaded} />
            {!loaded.isPublic && <ClientSecret client={loaded} />}
            <DeleteClient client={loaded} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Facts({ client }: { readonly client: ApiClient }) {
  const names = usePeopleNames()
  const reason = useClientReason(client)
  const { clientId, createdAt, expiresAt } = client
  return (
    <>
      {reason !== undefined && <Banner>This client cannot be changed here: {reason}.</Banner>}
      {expiresAt !== undefined && Date.parse(expiresAt) <= Date.now() && (
        <Banner tone="danger">
          Expired {formatMoment(expiresAt)}: its tokens are rejected. Set a later expiry to accept them again.
        </Banner>
      )}
      <dl className={styles.facts}>
        <dt>Client ID</dt>
        <dd className={styles.id}>
          <Code>{clientId}</Code>
          <CopyButton text={clientId} label="Copy the client ID" />
        </dd>
        <dt>Created</dt>
        <dd>
          <Time value={createdAt} /> by {personName(client._createdBy, names)}
        </dd>
      </dl>
    </>
  )
}

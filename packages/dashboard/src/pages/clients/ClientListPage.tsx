import type { ApiClient } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { usePermission } from '../../api/session.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { useProjectNames } from '../../components/access/useProjectNames.ts'
import { Badge } from '../../components/Badge.tsx'
import { Code } from '../../components/Copy.tsx'
import { CreateButton } from '../../components/CreateButton.tsx'
import { Page, Section } from '../../components/Page.tsx'
import { Empty, Loaded } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import { formatMoment } from '../../components/Time.tsx'
import { OrganizationTabs } from '../../shell/OrganizationTabs.tsx'
import styles from './Clients.module.css'
import { CreateClientDialog } from './CreateClientDialog.tsx'
import { clientKindTitles, describeAccess, kindOf } from './clientForm.ts'
import { ScimTokens } from './scim/ScimTokens.tsx'
import { Trusts } from './trusts/Trusts.tsx'

/** The programs, applications, assistants, CI jobs and identity providers that use the API. */
export function ClientListPage() {
  const [isCreating, setCreating] = useState(false)
  const cannotRead = useMissingPermission('organization:read:settings')
  const mayProvision = usePermission('organization:write:settings')
  const reason = useMissingPermission('organization:write:settings')
  const create = (
    <CreateButton onClick={() => setCreating(true)} reason={reason}>
      New client
    </CreateButton>
  )
  return (
    <Page title="Clients" tabs={<OrganizationTabs />} actions={create}>
      <Section title="API clients">
        <p className={styles.lead}>
          API clients call the API on their own behalf with a secret, or on behalf of the people who sign in to them.
          SDKs use the keys of an environment instead.
        </p>
        {cannotRead === undefined ? <Clients /> : <Empty title={`This list ${cannotRead}.`} />}
      </Section>
      {mayProvision && (
        <>
          <Trusts />
          <ScimTokens />
        </>
      )}
      {isCreating && <CreateClientDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

function Clients() {
  const { org = '' } = useParams({ strict: false })
  const clients = useRead('listApiClients', { query: { perPage: 1000, sortBy: 'name', sortOrder: 'asc' } })
  return (
    <Loaded query={clients} title="Clients could not be loaded">
      {(rows) =>
        rows.length === 0 ? (
          <Empty title="No program, application or assistant uses the API yet." />
        ) : (
          <Table
            label="API clients"
            rows={rows}
            rowKey={({ _id }) => _id}
            columns={[
              {
                id: 'name',
                title: 'Client',
                cell: ({ _id, name, clientId }) => (
                  <span className={styles.client}>
                    <Link to="/o/$org/settings/clients/$client" params={{ org, client: _id }} title={name}>
                      <bdi>{name}</bdi>
                    </Link>
                    <span className={styles.id}>
                      <Code>{clientId}</Code>
                    </span>
                  </span>
                )
              },
              { id: 'kind', title: 'Type', cell: (client) => <Kind client={client} /> },
              { id: 'may', title: 'Permissions', cell: (client) => <MayDo client={client} /> },
              { id: 'restrictions', title: 'Restrictions', cell: (client) => <Restrictions client={client} /> }
            ]}
          />
        )
      }
    </Loaded>
  )
}

interface Props {
  readonly client: ApiClient
}

/** What a client is for, and whether it registered itself. */
export function Kind({ client }: Props) {
  return (
    <span className={styles.badges}>
      <Badge tone={kindOf(client) === 'assistant' ? 'partly' : 'off'}>{clientKindTitles[kindOf(client)]}</Badge>
      {client.isDynamic && (
        <span title="It registered itself, so its name is not verified.">
          <Badge tone="waiting">registered itself</Badge>
        </span>
      )}
    </span>
  )
}

function MayDo({ client }: Props) {
  const projects = useProjectNames()
  return <span className={styles.may}>{describeAccess(client, projects)}</span>
}

function Restrictions({ client: { expiresAt, allowedNetworks } }: Props) {
  if (expiresAt === undefined && allowedNetworks === undefined) return <span className={styles.soft}>none</span>
  return (
    <span className={styles.badges}>
      {expiresAt !== undefined && (
        <Badge tone={Date.parse(expiresAt) <= Date.now() ? 'danger' : 'waiting'}>
          {Date.parse(expiresAt) <= Date.now() ? 'expired' : 'expires'} {formatMoment(expiresAt)}
        </Badge>
      )}
      {allowedNetworks && (
        <span title={allowedNetworks.join('\n')}>
          {allowedNetworks.length === 1 ? '1 network' : `${allowedNetworks.length} networks`}
        </span>
      )}
    </span>
  )
}

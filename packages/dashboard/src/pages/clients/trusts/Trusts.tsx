import { ApiError } from '@burgee/contract/client'
import type { WorkloadTrust } from '@burgee/contract/schemas'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../../api/query.ts'
import { roleTitles } from '../../../components/access/accessWords.ts'
import { useProjectNames } from '../../../components/access/useProjectNames.ts'
import { Badge } from '../../../components/Badge.tsx'
import { Button } from '../../../components/Button.tsx'
import { Code } from '../../../components/Copy.tsx'
import { Section } from '../../../components/Page.tsx'
import { Empty, Loaded } from '../../../components/States.tsx'
import { Table } from '../../../components/Table.tsx'
import { formatMoment } from '../../../components/Time.tsx'
import styles from '../Clients.module.css'
import { TrustActions } from './TrustActions.tsx'
import { TrustDialog } from './TrustDialog.tsx'
import { describeCondition } from './trustForm.ts'

/** The CI systems whose jobs get tokens without a secret. Only owners of the organization read and change them. */
export function Trusts() {
  const [isCreating, setCreating] = useState(false)
  const trusts = useRead('listWorkloadTrusts', { query: { perPage: 1000 } })
  const isOwner = !(trusts.error instanceof ApiError && trusts.error.status === 403)
  return (
    <Section
      title="CI jobs"
      actions={
        <Button
          icon={<Plus size={16} aria-hidden="true" />}
          onClick={() => setCreating(true)}
          reason={isOwner ? undefined : 'only owners of the organization can do this'}
        >
          New trust
        </Button>
      }
    >
      <p className={styles.lead}>
        Jobs of a trusted CI system exchange their identity tokens for short-lived access tokens, so no secret is stored
        there.
      </p>
      {isOwner ? (
        <Loaded query={trusts} title="Trusts could not be loaded">
          {(rows) => (rows.length === 0 ? <Empty title="No CI system is trusted." /> : <TrustTable rows={rows} />)}
        </Loaded>
      ) : (
        <p className={styles.soft}>Only owners of the organization see and change trusts.</p>
      )}
      {isCreating && <TrustDialog onClose={() => setCreating(false)} />}
    </Section>
  )
}

function TrustTable({ rows }: { readonly rows: readonly WorkloadTrust[] }) {
  return (
    <Table
      label="Trusts"
      rows={rows}
      rowKey={({ _id }) => _id}
      columns={[
        {
          id: 'name',
          title: 'Trust',
          cell: ({ name, key }) => (
            <span className={styles.client}>
              <bdi className={styles.name}>{name}</bdi>
              <span className={styles.id}>
                <Code>{key}</Code>
              </span>
            </span>
          )
        },
        { id: 'jobs', title: 'Jobs', cell: (trust) => <Jobs trust={trust} /> },
        { id: 'may', title: 'Permissions', cell: (trust) => <Grants trust={trust} /> },
        { id: 'state', title: 'Status', cell: (trust) => <State trust={trust} /> },
        {
          id: 'actions',
          title: <span className="visually-hidden">Actions</span>,
          align: 'end',
          cell: (trust) => <TrustActions trust={trust} />
        }
      ]}
    />
  )
}

interface Props {
  readonly trust: WorkloadTrust
}

function Jobs({ trust: { issuer, conditions } }: Props) {
  return (
    <span className={styles.jobs}>
      <span>{issuer.replace('https://', '')}</span>
      {conditions.map((condition) => (
        <span key={describeCondition(condition)} className={styles.soft}>
          {describeCondition(condition)}
        </span>
      ))}
    </span>
  )
}

function Grants({ trust: { grants } }: Props) {
  const names = useProjectNames()
  const { projects, role, scopes = [], environments } = grants
  const places = projects.map((project) => names.get(project) ?? 'a project that you cannot see')
  return (
    <span className={styles.may}>
      {role ? roleTitles[role] : `${scopes.length} permission${scopes.length === 1 ? '' : 's'}`} in {places.join(', ')}
      {environments && `; changes ${environments.length} environment${environments.length === 1 ? '' : 's'} only`}
    </span>
  )
}

function State({ trust: { enabled, expiresAt } }: Props) {
  if (!enabled) return <Badge tone="off">off</Badge>
  if (expiresAt === undefined) return <Badge tone="live">on</Badge>
  const isOver = Date.parse(expiresAt) <= Date.now()
  return (
    <Badge tone={isOver ? 'danger' : 'waiting'}>{`${isOver ? 'expired' : 'until'} ${formatMoment(expiresAt)}`}</Badge>
  )
}

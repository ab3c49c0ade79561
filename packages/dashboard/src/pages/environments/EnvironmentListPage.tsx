import type { Environment } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { useMissingPermission } from '../../parts/access/useMissingPermission.ts'
import { Protected } from '../../parts/Badge.tsx'
import { Code } from '../../parts/Copy.tsx'
import { CreateButton } from '../../parts/CreateButton.tsx'
import { DocsLink } from '../../parts/links/DocsLink.tsx'
import { Page } from '../../parts/Page.tsx'
import { Loaded } from '../../parts/States.tsx'
import { Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/Time.tsx'
import { CreateEnvironmentDialog } from './CreateEnvironmentDialog.tsx'
import styles from './Environments.module.css'
import { typeTitle } from './types.ts'

/** The environments of a project, with the number of their keys. */
export function EnvironmentListPage() {
  const { org = '', project = '' } = useParams({ strict: false })
  const [isCreating, setCreating] = useState(false)
  const cannotCreate = useMissingPermission('environment:write', project)
  const environments = useRead('listEnvironments', { params: { project } })
  return (
    <Page
      title="Environments and SDK keys"
      actions={
        <CreateButton onClick={() => setCreating(true)} reason={cannotCreate}>
          New environment
        </CreateButton>
      }
    >
      <p className={styles.lead}>
        Each environment has its own targeting and its own keys. An application's key determines its environment.{' '}
        <Link to="/o/$org/p/$project/start" params={{ org, project }}>
          Connect an application step by step
        </Link>
        {' · '}
        <DocsLink page="guides/keys.md">About keys</DocsLink>
      </p>
      <Loaded query={environments} title="Environments could not be loaded">
        {(rows) => (
          <Table
            label="Environments"
            rows={rows}
            rowKey={({ _id }) => _id}
            columns={[
              {
                id: 'name',
                title: 'Environment',
                cell: (row) => <Name org={org} project={project} environment={row} />
              },
              { id: 'key', title: 'Key', cell: ({ key }) => <Code>{key}</Code> },
              { id: 'type', title: 'Type', cell: ({ type }) => typeTitle(type) },
              { id: 'keys', title: 'SDK keys', cell: ({ sdkKeys }) => <KeyCounts keys={sdkKeys} /> },
              { id: 'changed', title: 'Changed', cell: ({ updatedAt }) => <Time value={updatedAt} /> }
            ]}
          />
        )}
      </Loaded>
      {isCreating && <CreateEnvironmentDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

interface NameProps {
  readonly org: string
  readonly project: string
  readonly environment: Environment
}

function Name({ org, project, environment }: NameProps) {
  return (
    <span className={styles.name}>
      <ColorDot color={environment.color} />
      <Link
        to="/o/$org/p/$project/environments/$environment"
        params={{ org, project, environment: environment.key }}
        className={styles.link}
      >
        {environment.name}
      </Link>
      {isProtected(environment) && <Protected />}
    </span>
  )
}

/** The colour that people gave an environment. */
export function ColorDot({ color }: { readonly color: string | undefined }) {
  return <span className={styles.dot} style={{ background: color ?? 'var(--edge)' }} aria-hidden="true" />
}

function KeyCounts({ keys }: { readonly keys: Environment['sdkKeys'] }) {
  if (!keys) return <span className={styles.soft}>hidden</span>
  return <>{`${keys.server.length} server, ${keys.client.length} client, ${keys.mobile.length} mobile`}</>
}

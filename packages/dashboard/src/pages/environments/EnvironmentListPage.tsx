import type { Environment } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Protected } from '../../components/Badge.tsx'
import { Code } from '../../components/Copy.tsx'
import { CreateButton } from '../../components/CreateButton.tsx'
import { DocsLink } from '../../components/links/DocsLink.tsx'
import { Page } from '../../components/Page.tsx'
import { Loaded } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { CreateEnvironmentDialog } from './CreateEnvironmentDialog.tsx'
import styles from './Environments.module.css'
import { typeTitle } from './types.ts'

/** The environments of a project. The page of each has its SDK keys. */
export function EnvironmentListPage() {
  const { org = '', project = '' } = useParams({ strict: false })
  const [isCreating, setCreating] = useState(false)
  const cannotCreate = useMissingPermission('environment:write', project)
  const environments = useEnvironments(project)
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
        Each environment has its own targeting and its own keys. An application’s key determines its environment.{' '}
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

import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { useMissingPermission } from '../../parts/access/useMissingPermission.ts'
import { Code } from '../../parts/Copy.tsx'
import { CreateButton } from '../../parts/CreateButton.tsx'
import { WaitingProjects } from '../../parts/feature/WaitingProjects.tsx'
import { DocsLink } from '../../parts/links/DocsLink.tsx'
import { Page } from '../../parts/Page.tsx'
import { Empty, Loaded } from '../../parts/States.tsx'
import { Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/Time.tsx'
import { OrganizationTabs } from '../../shell/OrganizationTabs.tsx'
import { CreateProjectDialog } from './CreateProjectDialog.tsx'

/** All projects that the person can read. */
export function ProjectListPage() {
  const { org = '' } = useParams({ strict: false })
  const [isCreating, setCreating] = useState(false)
  const cannotCreate = useMissingPermission('project:write')
  const projects = useRead('listProjects', { query: { perPage: 1000 } })
  const create = (
    <CreateButton onClick={() => setCreating(true)} reason={cannotCreate}>
      New project
    </CreateButton>
  )
  return (
    <Page title="Projects" actions={create} tabs={<OrganizationTabs />}>
      <WaitingProjects org={org} title="Change requests that wait for you" />
      <Loaded query={projects} title="Projects could not be loaded">
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="A project holds the features of one product." action={create}>
              <p>
                Each project has its environments, SDK keys and people.{' '}
                <DocsLink page="get-started/quick-start.md">Quick start</DocsLink>
              </p>
            </Empty>
          ) : (
            <Table
              label="Projects"
              rows={rows}
              rowKey={({ _id }) => _id}
              columns={[
                {
                  id: 'name',
                  title: 'Project',
                  cell: ({ name, key }) => (
                    <Link to="/o/$org/p/$project/features" params={{ org, project: key }}>
                      {name}
                    </Link>
                  )
                },
                { id: 'key', title: 'Key', cell: ({ key }) => <Code>{key}</Code> },
                { id: 'changed', title: 'Settings changed', cell: ({ updatedAt }) => <Time value={updatedAt} /> }
              ]}
            />
          )
        }
      </Loaded>
      {isCreating && <CreateProjectDialog onClose={() => setCreating(false)} org={org} />}
    </Page>
  )
}

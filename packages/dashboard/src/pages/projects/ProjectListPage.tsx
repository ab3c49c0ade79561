import type { Project } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { Code } from '../../components/Copy.tsx'
import { CreateButton } from '../../components/CreateButton.tsx'
import { TextField } from '../../components/Field.tsx'
import { WaitingProjects } from '../../components/feature/WaitingProjects.tsx'
import { DocsLink } from '../../components/links/DocsLink.tsx'
import { Page } from '../../components/Page.tsx'
import { Empty, Loaded } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import { OrganizationTabs } from '../../shell/OrganizationTabs.tsx'
import { CreateProjectDialog } from './CreateProjectDialog.tsx'
import { FeatureCount, LastChange, StaleCount, WaitingCount } from './ProjectFigures.tsx'
import styles from './Projects.module.css'

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
            <ProjectTable org={org} projects={rows} />
          )
        }
      </Loaded>
      {isCreating && <CreateProjectDialog onClose={() => setCreating(false)} org={org} />}
    </Page>
  )
}

/** How many projects are shown at first, and more at a time: each asks for its figures. */
const STEP = 25

function ProjectTable({ org, projects }: { readonly org: string; readonly projects: readonly Project[] }) {
  const [search, setSearch] = useState('')
  const [limit, setLimit] = useState(STEP)
  const wanted = search.trim().toLowerCase()
  const found = projects.filter(({ name, key }) => `${name} ${key}`.toLowerCase().includes(wanted))
  const rest = found.length - limit
  return (
    <>
      <div className={styles.search}>
        <TextField
          type="search"
          label="Search projects"
          isLabelHidden
          placeholder="Search name or key"
          value={search}
          onChange={setSearch}
        />
      </div>
      {found.length === 0 ? (
        <p className={styles.soft}>
          No project matches “{search.trim()}”.{' '}
          <Button kind="quiet" onClick={() => setSearch('')}>
            Clear search
          </Button>
        </p>
      ) : (
        <Table
          label="Projects"
          rows={found.slice(0, limit)}
          rowKey={({ _id }) => _id}
          columns={[
            {
              id: 'name',
              title: 'Project',
              cell: ({ name, key }) => (
                <span className={styles.name}>
                  <Link to="/o/$org/p/$project/features" params={{ org, project: key }}>
                    {name}
                  </Link>
                  <Code>{key}</Code>
                </span>
              )
            },
            {
              id: 'features',
              title: 'Active features',
              align: 'end',
              cell: (project) => <FeatureCount project={project} />
            },
            {
              id: 'waiting',
              title: 'Waiting for you',
              align: 'end',
              cell: (project) => <WaitingCount org={org} project={project} />
            },
            {
              id: 'stale',
              title: 'Stale',
              align: 'end',
              cell: (project) => <StaleCount org={org} project={project} />
            },
            { id: 'changed', title: 'Last change', cell: (project) => <LastChange project={project} /> }
          ]}
        />
      )}
      {rest > 0 && (
        <div>
          <Button onClick={() => setLimit(limit + STEP)}>Show {Math.min(rest, STEP)} more</Button>
        </div>
      )}
    </>
  )
}

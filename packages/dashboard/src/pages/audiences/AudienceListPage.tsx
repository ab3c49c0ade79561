import type { Audience } from '@burgee/contract/schemas'
import { condition } from '@burgee/contract/words'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Code, Snippet } from '../../components/Copy.tsx'
import { CreateButton } from '../../components/CreateButton.tsx'
import { TextField } from '../../components/Field.tsx'
import { DocsLink } from '../../components/links/DocsLink.tsx'
import { NpmNote } from '../../components/links/NpmNote.tsx'
import { Page } from '../../components/Page.tsx'
import { Empty, Loaded } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import styles from './Audiences.module.css'
import { CreateAudienceDialog } from './CreateAudienceDialog.tsx'
import { useAudiences, useCustomProperties } from './useAudience.ts'

/** The audiences of a project: their conditions, and whether anything refers to them. */
export function AudienceListPage() {
  const { org = '', project = '' } = useParams({ strict: false })
  const [isCreating, setCreating] = useState(false)
  const cannotCreate = useMissingPermission('audience:write', project)
  const audiences = useAudiences(project)
  const create = (
    <CreateButton onClick={() => setCreating(true)} reason={cannotCreate}>
      New audience
    </CreateButton>
  )
  return (
    <Page title="Audiences" actions={create}>
      <Loaded query={audiences} title="Audiences could not be loaded">
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="An audience is a named group of users, for the targets of many features." action={create}>
              <p>
                <DocsLink page="reference/evaluation.md#filters">How filters compare users</DocsLink>
              </p>
              <Snippet
                label="An audience from the command line"
                text={`npx burgee audiences create --project ${project} --key beta-testers --name "Beta testers" --filters '{"operator":"and","filters":[{"type":"user","subType":"email","comparator":"endWith","values":["@example.com"]}]}'`}
              />
              <NpmNote />
            </Empty>
          ) : (
            <AudienceTable org={org} project={project} audiences={rows} />
          )
        }
      </Loaded>
      {isCreating && <CreateAudienceDialog onClose={() => setCreating(false)} org={org} project={project} />}
    </Page>
  )
}

interface TableProps {
  readonly org: string
  readonly project: string
  readonly audiences: readonly Audience[]
}

function AudienceTable({ org, project, audiences }: TableProps) {
  const [search, setSearch] = useState('')
  const properties = useCustomProperties(project)
  const wanted = search.trim().toLowerCase()
  const rows = audiences.filter(({ name, key, description = '' }) =>
    `${name} ${key} ${description}`.toLowerCase().includes(wanted)
  )
  const context = {
    now: Date.now(),
    maxValues: 3,
    audiences: new Map(audiences.flatMap(({ _id, key, name }) => [[_id, name] as const, [key, name] as const])),
    customProperties: new Map(properties.data?.map(({ propertyKey, name }) => [propertyKey, name]))
  }
  return (
    <>
      <div className={styles.search}>
        <TextField
          type="search"
          label="Search audiences"
          isLabelHidden
          placeholder="Search name, key or description"
          value={search}
          onChange={setSearch}
        />
      </div>
      {rows.length === 0 ? (
        <p className={styles.soft}>
          No audience matches “{search.trim()}”.{' '}
          <Button kind="quiet" onClick={() => setSearch('')}>
            Clear search
          </Button>
        </p>
      ) : (
        <Table
          label="Audiences"
          rows={rows}
          rowKey={({ _id }) => _id}
          columns={[
            {
              id: 'name',
              title: 'Audience',
              cell: ({ name, key }) => (
                <span className={styles.name}>
                  <Link to="/o/$org/p/$project/audiences/$audience" params={{ org, project, audience: key }}>
                    {name}
                  </Link>
                  <Code>{key}</Code>
                </span>
              )
            },
            {
              id: 'who',
              title: 'Conditions',
              isWide: true,
              cell: ({ filters }) => <span className={styles.who}>{condition(filters, context)}</span>
            },
            {
              id: 'usage',
              title: 'Usage',
              cell: ({ hasUsage }) =>
                hasUsage ? <Badge tone="live">in use</Badge> : <Badge tone="off">not used</Badge>
            },
            { id: 'changed', title: 'Changed', cell: ({ updatedAt }) => <Time value={updatedAt} /> }
          ]}
        />
      )}
    </>
  )
}

import type { Variable } from '@burgee/contract/schemas'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { describePlaces, useCodeReads } from '../../api/useCodeReads.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { CreateButton } from '../../components/CreateButton.tsx'
import { SelectField, TextField } from '../../components/Field.tsx'
import { DocsLink } from '../../components/links/DocsLink.tsx'
import { Page } from '../../components/Page.tsx'
import { Empty, Loaded } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { CreateVariableDialog } from '../../components/values/CreateVariableDialog.tsx'
import styles from './Variables.module.css'

interface Filter {
  readonly q?: string
  readonly type?: string
}

/** All variables of the project. */
export function VariableListPage() {
  const { project = '' } = useParams({ strict: false })
  const { q = '', type = '' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [isCreating, setCreating] = useState(false)
  const cannotWrite = useMissingPermission('variable:write', project)
  const variables = useRead('listVariables', { params: { project }, query: { perPage: 1000 } })
  const setFilter = (filter: Filter) =>
    void navigate({
      to: '.',
      search: ({ env }: { env?: string }) => ({ ...(env ? { env } : {}), q, type, ...filter }),
      replace: true
    })
  const create = (
    <CreateButton onClick={() => setCreating(true)} reason={cannotWrite}>
      New variable
    </CreateButton>
  )
  return (
    <Page title="Variables" actions={create}>
      <Loaded query={variables} title="Variables could not be loaded">
        {(rows) => {
          if (rows.length === 0) {
            return (
              <Empty title="Applications read variables; features give them values." action={create}>
                <p>
                  A variable without a feature has no value: applications use the code’s default.{' '}
                  <DocsLink page="guides/types.md">Types for your code</DocsLink>
                </p>
              </Empty>
            )
          }
          const found = rows.filter((row) => matches(row, { q, type }))
          return (
            <>
              <div className={styles.filters}>
                <TextField
                  label="Search variables"
                  isLabelHidden
                  type="search"
                  value={q}
                  placeholder="Search key or name"
                  onChange={(next) => setFilter({ q: next })}
                />
                <SelectField
                  label="Type"
                  isLabelHidden
                  value={type}
                  options={['', 'Boolean', 'String', 'Number', 'JSON'].map((value) => ({
                    value,
                    label: value || 'Any type'
                  }))}
                  onChange={(next) => setFilter({ type: next })}
                />
                <p role="status">{found.length === 1 ? '1 variable' : `${found.length} variables`}</p>
              </div>
              {found.length === 0 ? (
                <Empty
                  title="No variable matches."
                  action={<Button onClick={() => setFilter({ q: '', type: '' })}>Clear filters</Button>}
                />
              ) : (
                <VariableTable rows={found} />
              )}
            </>
          )
        }}
      </Loaded>
      {isCreating && <CreateVariableDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

function matches({ key, name = '', type }: Variable, filter: Required<Filter>): boolean {
  const text = filter.q.trim().toLowerCase()
  return (filter.type === '' || filter.type === type) && `${key}\n${name}`.toLowerCase().includes(text)
}

const constraints = { enum: 'a value from a list', regex: 'pattern', jsonSchema: 'JSON Schema' } as const

function VariableTable({ rows }: { readonly rows: readonly Variable[] }) {
  const { org = '', project = '' } = useParams({ strict: false })
  const features = useRead('listFeatures', { params: { project }, query: { perPage: 1000 } })
  const reads = useCodeReads(project)
  const names = new Map(features.data?.map(({ _id, key, name }) => [_id, { key, name }]))
  const toFeature = (id: string | undefined) => {
    const feature = id === undefined ? undefined : names.get(id)
    if (id === undefined) return <span className={styles.quiet}>none</span>
    if (!feature) return <span className={styles.quiet}>in a feature</span>
    return (
      <Link to="/o/$org/p/$project/features/$feature/variations" params={{ org, project, feature: feature.key }}>
        {feature.name}
      </Link>
    )
  }
  return (
    <Table
      label="Variables"
      rows={rows}
      rowKey={({ _id }) => _id}
      columns={[
        {
          id: 'key',
          title: 'Key',
          cell: ({ key, status }) => (
            <span className={styles.names}>
              <Link to="/o/$org/p/$project/variables/$variable" params={{ org, project, variable: key }}>
                <code>{key}</code>
              </Link>
              {status === 'archived' && <Badge tone="waiting">archived</Badge>}
            </span>
          )
        },
        { id: 'type', title: 'Type', cell: ({ type }) => type },
        { id: 'feature', title: 'Feature', cell: ({ _feature }) => toFeature(_feature) },
        {
          id: 'schema',
          title: 'Allowed values',
          cell: ({ validationSchema: schema }) =>
            schema ? constraints[schema.schemaType] : <span className={styles.quiet}>any</span>
        },
        ...(reads ? [readsColumn(reads)] : []),
        {
          id: 'persistent',
          title: 'Lifetime',
          isWide: true,
          cell: ({ persistent }) => (persistent ? 'permanent' : <span className={styles.quiet}>temporary</span>)
        }
      ]}
    />
  )
}

/** Where code reads the variables, as the last scans found it. */
function readsColumn(reads: ReadonlyMap<string, number>): Column<Variable> {
  return {
    id: 'reads',
    title: 'Read in code',
    cell: ({ key }) => {
      const count = reads.get(key) ?? 0
      return count === 0 ? <span className={styles.quiet}>not found</span> : describePlaces(count)
    }
  }
}

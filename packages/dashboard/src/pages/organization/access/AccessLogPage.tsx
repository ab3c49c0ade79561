import { ApiError } from '@burgee/contract/client'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { useReadPage } from '../../../api/query.ts'
import { usePeopleNames } from '../../../components/Actor.tsx'
import { useMissingPermission } from '../../../components/access/useMissingPermission.ts'
import { Button } from '../../../components/Button.tsx'
import { ExportButton } from '../../../components/export/ExportButton.tsx'
import { SelectField, TextField } from '../../../components/Field.tsx'
import { DocsLink } from '../../../components/links/DocsLink.tsx'
import { Page } from '../../../components/Page.tsx'
import { Empty, Loaded } from '../../../components/States.tsx'
import { OrganizationTabs } from '../../../shell/OrganizationTabs.tsx'
import styles from './AccessLog.module.css'
import { AccessTable } from './AccessTable.tsx'
import {
  ACCESS_PER_PAGE,
  type AccessKind,
  type AccessOutcome,
  type AccessSearch,
  kindTitles,
  outcomeTitles,
  toAccessQuery,
  validateAccessSearch
} from './accessSearch.ts'

/** Who signed in, got a token, or saw a secret. */
export function AccessLogPage() {
  const cannotRead = useMissingPermission('organization:write:settings')
  return (
    <Page title="Access log" tabs={<OrganizationTabs />}>
      {cannotRead === undefined ? (
        <AccessLog />
      ) : (
        <Empty title={`The access log ${cannotRead}.`}>
          <p>It contains the network addresses and names of all people.</p>
        </Empty>
      )}
    </Page>
  )
}

function AccessLog() {
  const search = validateAccessSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const names = usePeopleNames()
  const [address, setAddress] = useState('')
  const [now] = useState(Date.now)
  const query = toAccessQuery(search, useDeferredValue(address.trim()), now)
  const { page = 1 } = search
  const entries = useReadPage('listAccessLog', { query: { ...query, page, perPage: ACCESS_PER_PAGE } })
  const change = (next: AccessSearch) =>
    void navigate({ to: '.', search: (previous: object) => ({ ...previous, page: undefined, ...next }), replace: true })
  const clear = () => {
    setAddress('')
    change({ kind: undefined, outcome: undefined, from: undefined, to: undefined })
  }
  const { kind, outcome, from, to } = search
  const isFiltered = [kind, outcome, from, to].some((filter) => filter !== undefined) || address !== ''
  const problem = address === '' ? undefined : addressProblem(entries.error)
  return (
    <>
      <p className={styles.lead}>
        Sign-ins, tokens, rejected SDK keys, and access to secrets and logs. Shows the last 7 days by default.{' '}
        <DocsLink page="operations/access-log.md">What is recorded</DocsLink>
      </p>
      <AccessFilters
        search={search}
        onChange={change}
        address={address}
        onAddress={(text) => {
          setAddress(text)
          if (search.page !== undefined) change({})
        }}
        problem={problem}
      />
      <div className={styles.row}>
        <ExportButton
          operation="exportAccessLog"
          request={{ query }}
          file="access-log.ndjson"
          reason={problem && 'the address is not valid'}
        >
          Export filtered entries
        </ExportButton>
        {isFiltered && (
          <Button kind="quiet" onClick={clear}>
            Clear filters
          </Button>
        )}
      </div>
      {problem === undefined && (
        <Loaded query={entries} title="The access log could not be loaded">
          {({ items, count }) =>
            items.length === 0 ? (
              <Empty
                title="No entry matches these filters."
                action={isFiltered && <Button onClick={clear}>Clear filters</Button>}
              />
            ) : (
              <AccessTable entries={items} names={names} page={page} count={count} />
            )
          }
        </Loaded>
      )}
    </>
  )
}

interface FiltersProps {
  readonly search: AccessSearch
  readonly onChange: (next: AccessSearch) => void
  readonly address: string
  readonly onAddress: (text: string) => void
  /** The validation error of the address. */
  readonly problem: string | undefined
}

/** The filters of the log. All but the address stand in the address of the page. */
function AccessFilters({ search: { kind, outcome, from, to }, onChange, address, onAddress, problem }: FiltersProps) {
  return (
    <search className={styles.filters}>
      <SelectField<AccessKind | ''>
        label="Event"
        value={kind ?? ''}
        onChange={(value) => onChange({ kind: value || undefined })}
        options={[{ value: '', label: 'All' }, ...optionsOf(kindTitles)]}
      />
      <SelectField<AccessOutcome | ''>
        label="Outcome"
        value={outcome ?? ''}
        onChange={(value) => onChange({ outcome: value || undefined })}
        options={[{ value: '', label: 'Any' }, ...optionsOf(outcomeTitles)]}
      />
      <TextField
        label="Address or network"
        placeholder="192.0.2.0/24"
        value={address}
        isCode
        onChange={onAddress}
        error={problem}
      />
      <TextField
        label="From"
        type="date"
        value={from ?? ''}
        max={to}
        onChange={(day) => onChange({ from: day || undefined })}
      />
      <TextField
        label="To"
        type="date"
        value={to ?? ''}
        min={from}
        onChange={(day) => onChange({ to: day || undefined })}
      />
    </search>
  )
}

/** The problem of the typed address, which the server checks. */
function addressProblem(error: Error | null): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  return error.issues.find((issue) => issue.in === 'query' && issue.path[0] === 'address')?.message
}

function optionsOf<Name extends string>(titles: Readonly<Record<Name, string>>) {
  return (Object.entries(titles) as [Name, string][]).map(([value, label]) => ({ value, label }))
}

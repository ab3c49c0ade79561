import { ApiError } from '@burgee/contract/client'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { useReadPage } from '../../../api/query.ts'
import { usePeopleNames } from '../../../parts/Actor.tsx'
import { useMissingPermission } from '../../../parts/access/useMissingPermission.ts'
import { Button } from '../../../parts/Button.tsx'
import { ExportButton } from '../../../parts/export/ExportButton.tsx'
import { SelectField, TextField } from '../../../parts/Field.tsx'
import { DocsLink } from '../../../parts/links/DocsLink.tsx'
import { Page } from '../../../parts/Page.tsx'
import { Empty, Loaded } from '../../../parts/States.tsx'
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
      <search className={styles.filters}>
        <SelectField<AccessKind | ''>
          label="Kind"
          value={kind ?? ''}
          onChange={(value) => change({ kind: value || undefined })}
          options={[{ value: '', label: 'All' }, ...optionsOf(kindTitles)]}
        />
        <SelectField<AccessOutcome | ''>
          label="Outcome"
          value={outcome ?? ''}
          onChange={(value) => change({ outcome: value || undefined })}
          options={[{ value: '', label: 'Any' }, ...optionsOf(outcomeTitles)]}
        />
        <TextField
          label="Address or network"
          placeholder="192.0.2.0/24"
          value={address}
          isCode
          onChange={(text) => {
            setAddress(text)
            if (search.page !== undefined) change({})
          }}
          error={problem}
        />
        <TextField
          label="From"
          type="date"
          value={from ?? ''}
          max={to}
          onChange={(day) => change({ from: day || undefined })}
        />
        <TextField
          label="To"
          type="date"
          value={to ?? ''}
          min={from}
          onChange={(day) => change({ to: day || undefined })}
        />
      </search>
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

/** The problem of the typed address, which the server checks. */
function addressProblem(error: Error | null): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  return error.issues.find((issue) => issue.in === 'query' && issue.path[0] === 'address')?.message
}

function optionsOf<Name extends string>(titles: Readonly<Record<Name, string>>) {
  return (Object.entries(titles) as [Name, string][]).map(([value, label]) => ({ value, label }))
}

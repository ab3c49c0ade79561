import type { Environment, FeatureListItem } from '@burgee/contract/schemas'
import { Rows2, Rows3 } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useRead } from '../../api/query.ts'
import { usePermission, useSession } from '../../api/session.ts'
import { Button, IconButton } from '../../components/Button.tsx'
import { SelectField, TextField } from '../../components/Field.tsx'
import { useWatched } from '../../components/feature/useWatched.ts'
import { density } from '../../preferences/preferences.ts'
import { usePreference } from '../../preferences/usePreference.ts'
import styles from './Features.module.css'
import { SavedFilters } from './filters/SavedFilters.tsx'
import { filterTitles } from './filterWords.ts'
import {
  type EnvironmentFilter,
  environmentFilters,
  type ListSearch,
  type SearchChange,
  type Sort
} from './listSearch.ts'

interface Props {
  readonly rows: readonly FeatureListItem[]
  readonly search: ListSearch
  readonly onChange: (members: SearchChange) => void
  readonly environment: Environment | undefined
}

const ANY = ''

/** The search field, the filters and the order of the list. Phones show the filters on request. */
export function ListFilters({ rows, search, onChange, environment }: Props) {
  const [isOpen, setOpen] = useState(false)
  const count = [search.status, search.is, search.type, search.tag, search.owner].filter(Boolean).length
  return (
    <search className={styles.filters}>
      <SearchField q={search.q ?? ''} onChange={(q) => onChange({ q: q || undefined })} />
      <span className={styles.onPhones}>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {count > 0 ? `Filters (${count})` : 'Filters'}
        </Button>
      </span>
      <div className={`${styles.selects} ${isOpen ? '' : styles.folded}`}>
        <Selects rows={rows} search={search} onChange={onChange} environment={environment} />
      </div>
      <Shortcuts rows={rows} search={search} onChange={onChange} environment={environment} />
    </search>
  )
}

/** Selects at once; the address follows when the typing pauses. */
function SearchField({ q, onChange }: { readonly q: string; readonly onChange: (q: string) => void }) {
  const [text, setText] = useState(q)
  useEffect(() => setText(q), [q])
  useEffect(() => {
    if (text === q) return
    const timer = setTimeout(() => onChange(text), 120)
    return () => clearTimeout(timer)
  })
  return (
    <div className={styles.search}>
      <TextField
        type="search"
        label="Search features"
        isLabelHidden
        placeholder="Search name, key or tag"
        value={text}
        onChange={setText}
      />
    </div>
  )
}

/** The filters that choose one of several values. */
function Selects({ rows, search, onChange, environment }: Props) {
  const tags = useMemo(() => [...new Set(rows.flatMap((row) => row.tags))].sort(), [rows])
  const owners = useOwners(rows)
  return (
    <>
      <SelectField
        label="Status"
        isLabelHidden
        value={search.status ?? ANY}
        options={statusOptions}
        onChange={(status) => onChange({ status: status || undefined })}
      />
      {environment && (
        <SelectField
          label={`Status in ${environment.name}`}
          isLabelHidden
          value={search.is ?? ANY}
          options={[
            { value: ANY, label: 'Any status' },
            ...environmentFilters.map((value) => ({ value, label: `${filterTitles[value]} in ${environment.name}` }))
          ]}
          onChange={(is: EnvironmentFilter | '') => onChange({ is: is || undefined })}
        />
      )}
      <SelectField
        label="Type"
        isLabelHidden
        value={search.type ?? ANY}
        options={[ANY, 'release', 'experiment', 'ops', 'permission'].map((value) => ({
          value,
          label: capitalize(value) || 'Any type'
        }))}
        onChange={(type) => onChange({ type: type || undefined })}
      />
      {tags.length > 0 && (
        <SelectField
          label="Tag"
          isLabelHidden
          value={search.tag ?? ANY}
          options={[ANY, ...tags].map((value) => ({ value, label: value ? `#${value}` : 'Any tag' }))}
          onChange={(tag) => onChange({ tag: tag || undefined })}
        />
      )}
      {owners.length > 1 && (
        <SelectField
          label="Created by"
          isLabelHidden
          value={search.owner ?? ANY}
          options={[{ value: ANY, label: 'By anyone' }, ...owners]}
          onChange={(owner) => onChange({ owner: owner || undefined })}
        />
      )}
    </>
  )
}

const statusOptions = [
  { value: ANY, label: 'Not archived' },
  { value: 'active', label: 'Active' },
  { value: 'complete', label: 'Complete' },
  { value: 'archived', label: 'Archived' },
  { value: 'all', label: 'All, also archived' }
] as const

const sortOptions = [
  { value: '-changed', label: 'Recently updated' },
  { value: 'changed', label: 'Least recently updated' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
  { value: '-created', label: 'Newest' },
  { value: 'created', label: 'Oldest' }
] as const satisfies readonly { value: Sort; label: string }[]

/** The most used filters, the order, and the height of the rows. */
function Shortcuts({ rows, search, onChange, environment }: Props) {
  const { user } = useSession()
  const [watched] = useWatched()
  return (
    <div className={styles.shortcuts}>
      <Toggle isOn={search.owner === user.id} onToggle={(isOn) => onChange({ owner: isOn ? user.id : undefined })}>
        Mine
      </Toggle>
      {(search.watched || rows.some(({ _id }) => watched.has(_id))) && (
        <Toggle isOn={search.watched === true} onToggle={(isOn) => onChange({ watched: isOn || undefined })}>
          Watched
        </Toggle>
      )}
      {environment && (
        <Toggle isOn={search.is === 'any'} onToggle={(isOn) => onChange({ is: isOn ? 'any' : undefined })}>
          {filterTitles.any} in {environment.name}
        </Toggle>
      )}
      <Toggle isOn={search.stale === true} onToggle={(isOn) => onChange({ stale: isOn || undefined })}>
        Stale
      </Toggle>
      <SavedFilters search={search} onChange={onChange} />
      <span className={styles.order}>
        <SelectField
          label="Order"
          isLabelHidden
          value={search.sort ?? '-changed'}
          options={sortOptions}
          onChange={(sort: Sort) => onChange({ sort })}
        />
        <DensityButton />
      </span>
    </div>
  )
}

interface ToggleProps {
  readonly isOn: boolean
  readonly onToggle: (isOn: boolean) => void
  readonly children: React.ReactNode
}

function Toggle({ isOn, onToggle, children }: ToggleProps) {
  return (
    <Button aria-pressed={isOn} className={styles.toggle} onClick={() => onToggle(!isOn)}>
      {children}
    </Button>
  )
}

function DensityButton() {
  const [chosen, choose] = usePreference(density)
  const other = chosen === 'compact' ? 'comfortable' : 'compact'
  const Icon = chosen === 'compact' ? Rows3 : Rows2
  return (
    <span className={styles.density}>
      <IconButton label={`Density: ${chosen}. Switch to ${other}`} onClick={() => choose(other)}>
        <Icon size={18} aria-hidden="true" />
      </IconButton>
    </span>
  )
}

/** Those who created features, by name where names may be read. */
function useOwners(rows: readonly FeatureListItem[]): readonly { readonly value: string; readonly label: string }[] {
  const mayRead = usePermission('organization:read:members')
  const { data: members } = useRead('listMembers', { query: { perPage: 1000 } }, { enabled: mayRead })
  return useMemo(() => {
    const ids = [...new Set(rows.flatMap(({ _createdBy }) => _createdBy ?? []))]
    const nameOf = (id: string) => members?.find(({ user_id }) => user_id === id)?.name ?? id
    return ids
      .map((value) => ({ value, label: nameOf(value) }))
      .sort((one, other) => one.label.localeCompare(other.label))
  }, [rows, members])
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

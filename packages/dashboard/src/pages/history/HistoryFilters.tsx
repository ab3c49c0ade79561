import { useEnvironments } from '../../api/useEnvironments.ts'
import { Button } from '../../components/Button.tsx'
import { type AuditChangeType, changeTitle } from '../../components/diff/changeWords.ts'
import { SelectField, TextField } from '../../components/Field.tsx'
import styles from './History.module.css'
import { type ActorKind, actorKinds, isFiltered } from './historySearch.ts'
import type { useHistoryFilters } from './useHistory.ts'

interface Props {
  readonly filters: ReturnType<typeof useHistoryFilters>
  /** Without a project, environments are not offered. */
  readonly project?: string
  readonly types: readonly AuditChangeType[]
  /** Whether the log can be searched, and filtered by who and what. */
  readonly canSearch: boolean
}

/** Which entries of a history are shown. */
export function HistoryFilters({ filters, project, types, canSearch }: Props) {
  const { search, text, typed, setText, change, clear } = filters
  const environments = useEnvironments(project).data ?? []
  return (
    <search className={styles.filters}>
      {canSearch && (
        <TextField
          label="Search"
          type="search"
          placeholder="Value or person"
          value={typed}
          onChange={(value) => {
            setText(value)
            if (search.page !== undefined) change({})
          }}
        />
      )}
      {project !== undefined && (
        <SelectField
          label="Environment"
          value={search.in ?? ''}
          onChange={(key) => change({ in: key || undefined })}
          options={[{ value: '', label: 'All' }, ...environments.map(({ key, name }) => ({ value: key, label: name }))]}
        />
      )}
      {canSearch && (
        <>
          <SelectField<AuditChangeType | ''>
            label="Change"
            value={search.type ?? ''}
            onChange={(type) => change({ type: type || undefined })}
            options={[
              { value: '', label: 'Everything' },
              ...[...new Set([...types, ...(search.type ? [search.type] : [])])].map((value) => ({
                value,
                label: changeTitle(value)
              }))
            ]}
          />
          <SelectField<ActorKind | ''>
            label="Author"
            value={search.actor ?? ''}
            onChange={(actor) => change({ actor: actor || undefined })}
            options={[{ value: '', label: 'Everyone' }, ...actorKinds]}
          />
        </>
      )}
      <TextField
        label="From"
        type="date"
        value={search.from ?? ''}
        max={search.to}
        onChange={(from) => change({ from: from || undefined })}
      />
      <TextField
        label="To"
        type="date"
        value={search.to ?? ''}
        min={search.from}
        onChange={(to) => change({ to: to || undefined })}
      />
      {isFiltered(search, text) && (
        <Button kind="quiet" onClick={clear} className={styles.clear}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

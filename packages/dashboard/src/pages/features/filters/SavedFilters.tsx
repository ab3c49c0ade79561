import { useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { TextField } from '../../../components/Field.tsx'
import { LazyDialog } from '../../../components/LazyDialog.tsx'
import { isSame } from '../../../draft/structure.ts'
import { usePreference } from '../../../preferences/usePreference.ts'
import styles from '../Features.module.css'
import { filterMembers, type ListSearch, noFilters, type SearchChange } from '../listSearch.ts'
import { readFilters, type SavedFilter, savedFilters, withFilter, withoutFilter } from './savedFilters.ts'

interface Props {
  readonly search: ListSearch
  readonly onChange: (members: SearchChange) => void
}

/** The filters that this browser remembers, and what can be done with the present one. */
export function SavedFilters({ search, onChange }: Props) {
  const { project = '' } = useParams({ strict: false })
  const [text, store] = usePreference(savedFilters)
  const [isNaming, setNaming] = useState(false)
  const all = readFilters(text)
  const mine = all.filter((filter) => filter.project === project)
  const present = filtersOf(search)
  const shown = mine.find((filter) => isSame(filtersOf(filter.search), present))
  const write = (filters: readonly SavedFilter[]) => store(JSON.stringify(filters))
  return (
    <>
      {mine.map((filter) => (
        <Button
          key={filter.name}
          aria-pressed={filter === shown}
          className={styles.toggle}
          onClick={() => onChange(filter === shown ? noFilters : { ...noFilters, ...filter.search })}
        >
          <bdi>{filter.name}</bdi>
        </Button>
      ))}
      {Object.keys(present).length > 0 && (
        <>
          <Button kind="quiet" className={styles.act} onClick={() => onChange(noFilters)}>
            Clear filters
          </Button>
          {shown ? (
            <Button kind="quiet" className={styles.act} onClick={() => write(withoutFilter(all, shown))}>
              Delete filter
            </Button>
          ) : (
            <Button kind="quiet" className={styles.act} onClick={() => setNaming(true)}>
              Save filter…
            </Button>
          )}
        </>
      )}
      <LazyDialog isOpen={isNaming} onClose={() => setNaming(false)} title="Save this filter">
        <NameForm
          taken={mine.map(({ name }) => name)}
          onCancel={() => setNaming(false)}
          onSave={(name) => {
            write(withFilter(all, { project, name, search }))
            setNaming(false)
          }}
        />
      </LazyDialog>
    </>
  )
}

/** The members of the address that leave out features, without the order. */
function filtersOf(search: ListSearch): ListSearch {
  return Object.fromEntries(filterMembers.flatMap((member) => (member in search ? [[member, search[member]]] : [])))
}

interface NameProps {
  readonly taken: readonly string[]
  readonly onSave: (name: string) => void
  readonly onCancel: () => void
}

function NameForm({ taken, onSave, onCancel }: NameProps) {
  const [name, setName] = useState('')
  const [isChecked, setChecked] = useState(false)
  const trimmed = name.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (trimmed !== '') onSave(trimmed)
  }
  return (
    <form onSubmit={submit} className={styles.naming}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        hint={
          taken.includes(trimmed)
            ? `Replaces the filter “${trimmed}”.`
            : 'This browser shows it above the list. To share it, copy the address of the page.'
        }
        error={isChecked && trimmed === '' ? 'Must not be empty' : undefined}
        autoFocus
      />
      <div className={styles.namingButtons}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" kind="primary">
          Save filter
        </Button>
      </div>
    </form>
  )
}

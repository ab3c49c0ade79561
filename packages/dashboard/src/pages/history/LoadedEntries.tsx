import type { AuditLogEntry } from '@burgee/contract/schemas'
import { type ReactNode, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/Button.tsx'
import { Loaded } from '../../components/States.tsx'
import styles from './History.module.css'
import { NothingFound, Pages } from './HistoryPages.tsx'
import { isFiltered } from './historySearch.ts'
import { newerEntries } from './newerEntries.ts'
import type { useEntries, useHistoryFilters } from './useHistory.ts'

interface Props {
  readonly query: ReturnType<typeof useEntries>['entries']
  /** The title of the error if the entries cannot be loaded. */
  readonly title: string
  readonly filters: ReturnType<typeof useHistoryFilters>
  readonly children: (entries: readonly AuditLogEntry[]) => ReactNode
}

/** A page of entries with links to the others, or why there are none. */
export function LoadedEntries({ query, title, filters: { search, text, clear }, children }: Props) {
  const list = JSON.stringify({ ...search, entry: undefined, text })
  return (
    <Loaded query={query} title={title}>
      {(entries) =>
        entries.length === 0 ? (
          <NothingFound isFiltered={isFiltered(search, text)} onClear={clear} />
        ) : (
          <>
            <SettledEntries key={list} entries={entries}>
              {children}
            </SettledEntries>
            <Pages page={search.page ?? 1} shown={entries.length} />
          </>
        )
      }
    </Loaded>
  )
}

interface SettledProps {
  readonly entries: readonly AuditLogEntry[]
  readonly children: (entries: readonly AuditLogEntry[]) => ReactNode
}

/** Shows entries of other people that arrive later on request only: they would move what is under the pointer. */
function SettledEntries({ entries, children }: SettledProps) {
  const { user } = useSession()
  const [shown, setShown] = useState(entries)
  const newer = newerEntries(entries, shown)
  const isOwn = newer.every(({ idp_user, actor }) => idp_user === user.id && actor === 'person')
  if (isOwn && entries !== shown) setShown(entries)
  return (
    <>
      <div role="status" className={styles.newer}>
        {!isOwn && (
          <Button onClick={() => setShown(entries)}>
            {newer.length === 1 ? 'Show 1 new change' : `Show ${newer.length} new changes`}
          </Button>
        )}
      </div>
      {children(shown)}
    </>
  )
}

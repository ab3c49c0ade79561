import type { FeatureListItem } from '@burgee/contract/schemas'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useDeferredValue, useMemo } from 'react'
import { useFeatureRows } from '../../api/featureRows.ts'
import { useEnvironment } from '../../api/useEnvironment.ts'
import { useWatched } from '../../components/feature/useWatched.ts'
import { Page } from '../../components/Page.tsx'
import { Loaded, Skeleton } from '../../components/States.tsx'
import { lazyPart } from '../../lazyPage.ts'
import { useSelection } from './bulk/useSelection.ts'
import styles from './Features.module.css'
import { FeatureTable } from './FeatureTable.tsx'
import { ListFilters } from './ListFilters.tsx'
import { type ListSearch, noFilters, type SearchChange } from './listSearch.ts'
import { NewFeature } from './NewFeature.tsx'
import { selectRows } from './selectRows.ts'

const NoFeatures = lazyPart(() => import('./EmptyLists.tsx').then((module) => module.NoFeatures))
const NoMatch = lazyPart(() => import('./EmptyLists.tsx').then((module) => module.NoMatch))

/** All features of a project, with their status in each environment. */
export function FeatureListPage() {
  const { org = '', project = '' } = useParams({ strict: false })
  const rows = useFeatureRows(project)
  const shown = useSelected(rows.data, project)
  return (
    <Page title="Features" beside={<Count {...shown} />} actions={<NewFeature org={org} project={project} />}>
      <Loaded query={rows} title="Features could not be loaded" skeleton={<Skeleton rows={8} />}>
        {(items) =>
          items.length === 0 ? (
            <Suspense fallback={null}>
              <NoFeatures org={org} project={project} />
            </Suspense>
          ) : (
            <FilteredList rows={items} selected={shown.selected} project={project} />
          )
        }
      </Loaded>
    </Page>
  )
}

/** The rows that the address selects, and how many there are without filters: archived ones count where they are shown. */
function useSelected(rows: readonly FeatureListItem[] = NO_ROWS, project: string) {
  const search: ListSearch = useDeferredValue(useSearch({ strict: false }))
  const { environment } = useEnvironment(project)
  const [watched] = useWatched()
  const selected = useMemo(
    () => selectRows(rows, search, environment?.key, watched),
    [rows, search, environment?.key, watched]
  )
  const { status } = search
  const total = useMemo(() => selectRows(rows, status ? { status } : {}).length, [rows, status])
  return { selected, total }
}

const NO_ROWS: readonly FeatureListItem[] = []

/** How many features the list has, and how many of them the filters leave. */
function Count({ selected: { length }, total }: ReturnType<typeof useSelected>) {
  if (total === 0) return null
  const [shown, all] = [length, total].map((count) => count.toLocaleString('en'))
  return (
    <span className={styles.count} role="status">
      {length === total ? all : `${shown} of ${all}`}
      <span className="visually-hidden"> features</span>
    </span>
  )
}

interface FilteredProps {
  readonly rows: readonly FeatureListItem[]
  readonly selected: readonly FeatureListItem[]
  readonly project: string
}

/** The rows that the address selects, and the controls that change it. */
function FilteredList({ rows, selected, project }: FilteredProps) {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const { environment } = useEnvironment(project)
  const selection = useSelection(selected)
  const change = (members: SearchChange) =>
    void navigate({ to: '.', search: (previous: object) => ({ ...previous, ...members }) as never, replace: true })
  return (
    <>
      <ListFilters rows={rows} search={search} onChange={change} environment={environment} />
      {selected.length === 0 ? (
        <Suspense fallback={null}>
          <NoMatch search={search} environment={environment} onClear={() => change(noFilters)} />
        </Suspense>
      ) : (
        <FeatureTable
          rows={selected}
          sort={search.sort ?? '-changed'}
          onSort={(sort) => change({ sort })}
          selection={selection}
        />
      )}
    </>
  )
}

import type { FeatureListItem } from '@burgee/contract/schemas'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useDeferredValue, useMemo } from 'react'
import { useFeatureRows } from '../../api/featureRows.ts'
import { lazyPart } from '../../lazyPage.ts'
import { Page } from '../../parts/Page.tsx'
import { Loaded, Skeleton } from '../../parts/States.tsx'
import { useEnvironment } from '../../shell/useEnvironment.ts'
import { useSelection } from './bulk/useSelection.ts'
import styles from './Features.module.css'
import { FeatureTable } from './FeatureTable.tsx'
import { ListFilters } from './ListFilters.tsx'
import type { ListSearch, SearchChange } from './listSearch.ts'
import { NewFeature } from './NewFeature.tsx'
import { selectRows } from './selectRows.ts'

const NoFeatures = lazyPart(() => import('./EmptyLists.tsx').then((module) => module.NoFeatures))
const NoMatch = lazyPart(() => import('./EmptyLists.tsx').then((module) => module.NoMatch))

/** All features of a project, with their status in each environment. */
export function FeatureListPage() {
  const { org = '', project = '' } = useParams({ strict: false })
  const rows = useFeatureRows(project)
  return (
    <Page title="Features" beside={<Count rows={rows.data} />} actions={<NewFeature org={org} project={project} />}>
      <Loaded query={rows} title="Features could not be loaded" skeleton={<Skeleton rows={8} />}>
        {(items) =>
          items.length === 0 ? (
            <Suspense fallback={null}>
              <NoFeatures org={org} project={project} />
            </Suspense>
          ) : (
            <FilteredList rows={items} project={project} />
          )
        }
      </Loaded>
    </Page>
  )
}

function Count({ rows }: { readonly rows: readonly FeatureListItem[] | undefined }) {
  return rows ? <span className={styles.count}>{rows.length.toLocaleString('en')}</span> : null
}

/** The rows that the address selects, and the controls that change it. */
function FilteredList({ rows, project }: { readonly rows: readonly FeatureListItem[]; readonly project: string }) {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const { environment } = useEnvironment(project)
  const deferred = useDeferredValue(search)
  const selected = useMemo(() => selectRows(rows, deferred, environment?.key), [rows, deferred, environment?.key])
  const selection = useSelection(selected)
  const change = (members: SearchChange) =>
    void navigate({ to: '.', search: (previous: object) => ({ ...previous, ...members }) as never, replace: true })
  return (
    <>
      <ListFilters rows={rows} search={search} onChange={change} environment={environment} />
      <p className="visually-hidden" role="status">
        {`${selected.length} of ${rows.length} features`}
      </p>
      {selected.length === 0 ? (
        <Suspense fallback={null}>
          <NoMatch search={search} environment={environment} onClear={() => change(NO_FILTERS)} />
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

const NO_FILTERS = {
  q: undefined,
  status: undefined,
  type: undefined,
  tag: undefined,
  is: undefined,
  stale: undefined,
  owner: undefined
}

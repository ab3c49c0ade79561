import type { FeatureListItem } from '@burgee/contract/schemas'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { Suspense, useDeferredValue, useMemo } from 'react'
import { useFeatureRows } from '../../api/featureRows.ts'
import { usePermission } from '../../api/session.ts'
import { lazyPart } from '../../lazyPage.ts'
import button from '../../parts/Button.module.css'
import { Button } from '../../parts/Button.tsx'
import { DocsLink } from '../../parts/links/DocsLink.tsx'
import { Page } from '../../parts/Page.tsx'
import { Empty, Loaded, Skeleton } from '../../parts/States.tsx'
import { useEnvironment } from '../../shell/useEnvironment.ts'
import { useSelection } from './bulk/useSelection.ts'
import styles from './Features.module.css'
import { FeatureTable } from './FeatureTable.tsx'
import { describeFilters } from './filterWords.ts'
import { ListFilters } from './ListFilters.tsx'
import type { ListSearch, SearchChange } from './listSearch.ts'
import { selectRows } from './selectRows.ts'

// Only projects without features show it.
const Snippet = lazyPart(() => import('../../parts/Copy.tsx').then((module) => module.Snippet))

/** All features of a project, with their status in each environment. */
export function FeatureListPage() {
  const { org = '', project = '' } = useParams({ strict: false })
  const rows = useFeatureRows(project)
  return (
    <Page title="Features" beside={<Count rows={rows.data} />} actions={<NewFeature org={org} project={project} />}>
      <Loaded query={rows} title="Features could not be loaded" skeleton={<Skeleton rows={8} />}>
        {(items) =>
          items.length === 0 ? (
            <NoFeatures org={org} project={project} />
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

interface ProjectProps {
  readonly org: string
  readonly project: string
}

function NewFeature({ org, project }: ProjectProps) {
  const mayWrite = usePermission('feature:write', project)
  const icon = <Plus size={16} aria-hidden="true" />
  if (!mayWrite) {
    return (
      <Button kind="primary" icon={icon} reason="needs the permission to change features">
        New feature
      </Button>
    )
  }
  return (
    <Link to={`/o/${org}/p/${project}/features/new` as string} className={`${button.button} ${button.primary}`}>
      {icon}
      New feature
    </Link>
  )
}

function NoFeatures({ org, project }: ProjectProps) {
  return (
    <Empty title="A feature switches something on for some people." action={<NewFeature org={org} project={project} />}>
      <p>
        Create one here, or from a terminal. <DocsLink page="guides/manage-flags.md">How to manage flags</DocsLink>
      </p>
      <Suspense fallback={null}>
        <Snippet
          label="Create a feature from a terminal"
          text={`npx burgee features create --project ${project} --key new-checkout --name "New checkout"`}
        />
      </Suspense>
    </Empty>
  )
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
        <Empty
          title={`No feature matches ${describeFilters(search, environment?.name)}.`}
          action={<Button onClick={() => change(NO_FILTERS)}>Clear filters</Button>}
        />
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

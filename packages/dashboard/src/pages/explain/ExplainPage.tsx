import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useRead } from '../../api/query.ts'
import type { FormUser } from '../../parts/explanation/parseUser.ts'
import { DocsLink } from '../../parts/links/DocsLink.tsx'
import { Page } from '../../parts/Page.tsx'
import { Empty, Loaded, Skeleton } from '../../parts/States.tsx'
import { useEnvironment } from '../../shell/useEnvironment.ts'
import styles from './Explain.module.css'
import { FeatureRows } from './FeatureRows.tsx'
import { ResultsHead } from './ResultsHead.tsx'
import { UserPanel } from './UserPanel.tsx'
import { useKeptUser } from './useKeptUser.ts'

/** What one user gets of every feature, and why. */
export function ExplainPage() {
  const { project = '' } = useParams({ strict: false })
  return <ProjectExplain key={project} project={project} />
}

function ProjectExplain({ project }: { readonly project: string }) {
  const { environment } = useEnvironment(project)
  const { form, asked, change, ask } = useKeptUser(project)
  const list = useExplanation(project, environment?.key, asked)
  const results = useRef<HTMLDivElement>(null)
  const askAndShow: typeof ask = (next, user) => {
    ask(next, user)
    // On phones the results are below the form.
    if ((results.current?.getBoundingClientRect().top ?? 0) > innerHeight / 2) results.current?.scrollIntoView()
  }
  return (
    <Page title="Explain">
      <p className={styles.intro}>
        Enter a user to see which variation of each feature they get, and why. Explanations do not count as evaluations,
        and the user is stored only in this tab.
      </p>
      <div className={styles.columns}>
        <UserPanel
          project={project}
          environment={environment?.key}
          form={form}
          asked={asked}
          onChange={change}
          onAsk={askAndShow}
          error={list.error}
          isBusy={list.isFetching}
        />
        <div className={styles.results} ref={results}>
          {asked && environment ? (
            <Loaded query={list} title="The user could not be evaluated" skeleton={<Skeleton rows={4} />}>
              {(explanation) => (
                <Results project={project} environment={environment.key} user={asked} explanation={explanation} />
              )}
            </Loaded>
          ) : (
            <Empty title="Enter a user">
              <p>
                A user ID is enough. Country, plan and other attributes matter if targets use them.{' '}
                <DocsLink page="reference/evaluation.md">How an evaluation decides</DocsLink>
              </p>
            </Empty>
          )}
        </div>
      </div>
    </Page>
  )
}

interface ResultsProps {
  readonly project: string
  readonly environment: string
  readonly user: FormUser
  readonly explanation: NonNullable<ReturnType<typeof useExplanation>['data']>
}

function Results({ project, environment, user, explanation }: ResultsProps) {
  const { feature, compare } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [search, setSearch] = useState('')
  const isComparing = compare !== undefined && compare !== environment
  const other = useExplanation(project, isComparing ? compare : undefined, user)
  const wanted = search.trim().toLowerCase()
  const rows = explanation.features.filter(({ key, name }) => `${name} ${key}`.toLowerCase().includes(wanted))
  const show = (next: Readonly<Record<string, string | undefined>>) =>
    void navigate({ to: '.', search: (previous: object) => ({ ...previous, ...next }), replace: true })
  return (
    <>
      <ResultsHead
        project={project}
        explanation={explanation}
        compare={isComparing ? compare : undefined}
        onCompare={(key) => show({ compare: key })}
        search={search}
        onSearch={setSearch}
        shown={rows.length}
        comparison={other}
      />
      <FeatureRows
        project={project}
        environment={explanation.environment}
        user={user}
        features={rows}
        other={isComparing ? other.data : undefined}
        open={feature}
        onOpen={(key) => show({ feature: key })}
      />
    </>
  )
}

/** The rows of all features. A user that the server refuses is shown at its field. */
function useExplanation(project: string, environment: string | undefined, user: FormUser | undefined) {
  return useRead(
    'explain',
    // Disabled without them.
    { params: { project, environment: environment ?? '' }, body: { user: user ?? { user_id: '' } } },
    { enabled: environment !== undefined && user !== undefined }
  )
}

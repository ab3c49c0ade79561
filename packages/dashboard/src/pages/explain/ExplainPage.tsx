import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type ComponentProps, useRef, useState } from 'react'
import { useRead } from '../../api/query.ts'
import { useEnvironment } from '../../api/useEnvironment.ts'
import { Button } from '../../components/Button.tsx'
import type { FormUser } from '../../components/explanation/parseUser.ts'
import { DocsLink } from '../../components/links/DocsLink.tsx'
import { Page } from '../../components/Page.tsx'
import { Empty, ErrorBanner, Loaded, Skeleton } from '../../components/States.tsx'
import styles from './Explain.module.css'
import { FeatureRows } from './FeatureRows.tsx'
import { ResultsHead } from './ResultsHead.tsx'
import { pairFeatures, type Side, toSide } from './side.ts'
import { UserPanel } from './UserPanel.tsx'
import { useKeptUser } from './useKeptUser.ts'

/** What one user gets of every feature, and why; beside another user or environment. */
export function ExplainPage() {
  const { project = '' } = useParams({ strict: false })
  return <ProjectExplain key={project} project={project} />
}

function ProjectExplain({ project }: { readonly project: string }) {
  const { environment } = useEnvironment(project)
  const { compare, users } = useSearch({ strict: false })
  const show = useShow()
  const first = useKeptUser(project, 'first')
  const second = useKeptUser(project, 'second')
  const results = useRef<HTMLDivElement>(null)
  const isPair = users === 2
  const otherUser = isPair ? second.asked : first.asked
  const otherEnvironment = compare ?? environment?.key
  const isCompared = isPair || (compare !== undefined && compare !== environment?.key)
  const list = useExplanation(project, environment?.key, first.asked)
  const other = useExplanation(project, isCompared ? otherEnvironment : undefined, otherUser)
  /** Explains, and shows the results, which are below the form on phones. */
  const ask = (kept: typeof first): typeof kept.ask => {
    return (form, user) => {
      kept.ask(form, user)
      if ((results.current?.getBoundingClientRect().top ?? 0) > innerHeight / 2) results.current?.scrollIntoView()
    }
  }
  const panel = (kept: typeof first, { error, isFetching }: typeof list) => {
    const { form, asked, change } = kept
    return {
      project,
      environment: environment?.key,
      form,
      asked,
      onChange: change,
      onAsk: ask(kept),
      error,
      isBusy: isFetching
    }
  }
  return (
    <Page title="Explain">
      <p className={styles.intro}>
        Enter a user to see which variation of each feature they get, and why. Explanations do not count as evaluations,
        and the user is stored only in this tab.
      </p>
      <div className={styles.columns}>
        <UserPanels first={panel(first, list)} second={panel(second, other)} isPair={isPair} onShow={show} />
        <div className={styles.results} ref={results}>
          {first.asked && environment ? (
            <Loaded query={list} title="The user could not be evaluated" skeleton={<Skeleton rows={4} />}>
              {(explanation) => (
                <Results
                  project={project}
                  first={toSide(first.asked as FormUser, explanation)}
                  second={isCompared && otherUser && other.data ? toSide(otherUser, other.data) : undefined}
                  onShow={show}
                />
              )}
            </Loaded>
          ) : (
            <Empty title={isPair ? 'Enter the first user' : 'Enter a user'}>
              <p>
                A user ID is enough. Country, plan and other attributes matter if targets use them.{' '}
                <DocsLink page="reference/evaluation.md">How an evaluation decides</DocsLink>
              </p>
            </Empty>
          )}
          {first.asked && other.isError && (
            <ErrorBanner
              title={`The second ${isPair ? 'user' : 'environment'} could not be evaluated`}
              error={other.error}
              onRetry={() => void other.refetch()}
            />
          )}
        </div>
      </div>
    </Page>
  )
}

type Panel = Omit<ComponentProps<typeof UserPanel>, 'title' | 'isNew' | 'onRemove'>

interface PanelsProps {
  readonly first: Panel
  readonly second: Panel
  readonly isPair: boolean
  readonly onShow: ReturnType<typeof useShow>
}

/** The forms of one user or of two, which can be added and removed. */
function UserPanels({ first, second, isPair, onShow }: PanelsProps) {
  const [isSecondNew, setSecondNew] = useState(false)
  const adder = useRef<HTMLButtonElement>(null)
  const add = () => {
    setSecondNew(true)
    onShow({ users: 2 })
  }
  const remove = () => {
    onShow({ users: undefined })
    // The button is back after the navigation.
    requestAnimationFrame(() => adder.current?.focus())
  }
  return (
    <div className={styles.users}>
      <UserPanel {...first} title={isPair ? 'First user' : 'User'} />
      {isPair ? (
        <UserPanel {...second} title="Second user" isNew={isSecondNew} onRemove={remove} />
      ) : (
        <div>
          <Button ref={adder} kind="quiet" isFlush icon={<Plus size={16} aria-hidden="true" />} onClick={add}>
            Compare with another user
          </Button>
        </div>
      )}
    </div>
  )
}

/** Changes the address: the open feature, the second environment, whether there is a second user. */
function useShow() {
  const navigate = useNavigate()
  return (next: Readonly<Record<string, string | number | undefined>>) =>
    void navigate({ to: '.', search: (previous: object) => ({ ...previous, ...next }), replace: true })
}

interface ResultsProps {
  readonly project: string
  readonly first: Side
  readonly second: Side | undefined
  readonly onShow: ReturnType<typeof useShow>
}

function Results({ project, first, second, onShow }: ResultsProps) {
  const { feature, compare } = useSearch({ strict: false })
  const [search, setSearch] = useState('')
  const [isOnlyDifferent, setOnlyDifferent] = useState(false)
  const wanted = search.trim().toLowerCase()
  const pairs = pairFeatures(first, second)
  const shown = pairs.filter(
    ({ first: { key, name }, isDifferent }) =>
      `${name} ${key}`.toLowerCase().includes(wanted) && (isDifferent || !second || !isOnlyDifferent)
  )
  return (
    <>
      <ResultsHead
        project={project}
        first={first}
        second={second}
        pairs={pairs}
        shown={shown.length}
        compare={compare === first.environment.key ? undefined : compare}
        onCompare={(key) => onShow({ compare: key })}
        search={search}
        onSearch={setSearch}
        isOnlyDifferent={isOnlyDifferent}
        onOnlyDifferent={setOnlyDifferent}
      />
      <FeatureRows
        project={project}
        first={first}
        second={second}
        pairs={shown}
        open={feature}
        onOpen={(key) => onShow({ feature: key })}
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

import { Link, useParams } from '@tanstack/react-router'
import { useFeatureRows } from '../../api/featureRows.ts'
import { useRead } from '../../api/query.ts'
import { Code } from '../../components/Copy.tsx'
import { Page } from '../../components/Page.tsx'
import { Banner, Loaded, Skeleton } from '../../components/States.tsx'
import { ActiveRollouts } from './ActiveRollouts.tsx'
import styles from './Home.module.css'
import { NeedsAttention } from './NeedsAttention.tsx'
import { RecentChanges } from './RecentChanges.tsx'
import { Traffic } from './Traffic.tsx'

/** Pending work, active rollouts, evaluations and recent activity of a project. */
export function HomePage() {
  const { org = '', project = '' } = useParams({ strict: false })
  const query = useRead('getProject', { params: { key: project } })
  return (
    <Page title={query.data?.name ?? project} beside={<Code>{query.data?.key ?? project}</Code>}>
      <Loaded query={query} title="The project could not be loaded" skeleton={<Skeleton rows={3} height={120} />}>
        {(data) => (
          <div className={styles.home}>
            <FirstSteps org={org} project={project} />
            <div className={styles.column}>
              <NeedsAttention org={org} project={data} />
              <ActiveRollouts org={org} project={project} />
              <Traffic org={org} project={project} />
            </div>
            <div className={styles.column}>
              <RecentChanges org={org} project={project} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** The empty state of a project without features. */
function FirstSteps({ org, project }: { readonly org: string; readonly project: string }) {
  const features = useFeatureRows(project).data
  if (features?.length !== 0) return null
  return (
    <div className={styles.first}>
      <Banner tone="brand">
        <span>This project has no features yet.</span>
        <Link to="/o/$org/p/$project/start" params={{ org, project }}>
          Create one and connect an application
        </Link>
      </Banner>
    </div>
  )
}

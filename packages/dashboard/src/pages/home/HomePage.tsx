import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { Code } from '../../parts/Copy.tsx'
import { Page } from '../../parts/Page.tsx'
import { Loaded, Skeleton } from '../../parts/States.tsx'
import styles from './Home.module.css'
import { Lately } from './Lately.tsx'
import { MovingNow } from './MovingNow.tsx'
import { NeedsYou } from './NeedsYou.tsx'
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
            <div className={styles.column}>
              <NeedsYou org={org} project={data} />
              <Lately org={org} project={project} />
            </div>
            <div className={styles.column}>
              <MovingNow org={org} project={project} />
              <Traffic org={org} project={project} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

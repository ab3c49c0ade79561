import { Outlet, useParams } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { Page } from '../../parts/Page.tsx'
import { Loaded, Skeleton } from '../../parts/States.tsx'
import { UnsavedGuard } from '../../parts/settings/UnsavedGuard.tsx'
import { TabLinks } from '../../parts/TabLinks.tsx'
import { ProjectContext } from './ProjectContext.ts'

const tabs = [
  { title: 'General', path: '', isExact: true },
  { title: 'Evaluation', path: '/evaluation' },
  { title: 'Approval', path: '/approval' },
  { title: 'Staleness', path: '/staleness' },
  { title: 'Integrations', path: '/integrations' },
  { title: 'User data', path: '/user-data' },
  { title: 'Danger', path: '/danger' }
] as const

/** The tabs of a project's settings, around each of them. */
export function SettingsLayout() {
  const { org = '', project: reference = '' } = useParams({ strict: false })
  const query = useRead('getProject', { params: { key: reference } })
  const base = `/o/${org}/p/${reference}/settings`
  return (
    <Page
      title="Project settings"
      tabs={<TabLinks label="Settings" tabs={tabs.map(({ path, ...tab }) => ({ ...tab, to: `${base}${path}` }))} />}
    >
      <Loaded query={query} title="The settings could not be loaded" skeleton={<Skeleton rows={4} height={80} />}>
        {(project) => (
          <ProjectContext.Provider value={project}>
            <UnsavedGuard>
              <Outlet />
            </UnsavedGuard>
          </ProjectContext.Provider>
        )}
      </Loaded>
    </Page>
  )
}

import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { Page } from '../../components/Page.tsx'
import { Empty, Loaded, Skeleton } from '../../components/States.tsx'
import { TabLink, TabLinks } from '../../components/TabLinks.tsx'
import { ApprovalPage } from './ApprovalPage.tsx'
import { DangerPage } from './DangerPage.tsx'
import { EvaluationPage } from './EvaluationPage.tsx'
import { GeneralPage } from './GeneralPage.tsx'
import { IntegrationsPage } from './IntegrationsPage.tsx'
import { ProjectContext } from './ProjectContext.ts'
import { StalenessPage } from './StalenessPage.tsx'
import { OpenRequests } from './save/OpenRequests.tsx'
import { UserDataPage } from './UserDataPage.tsx'

const tabs = [
  { title: 'General', path: '', Content: GeneralPage },
  { title: 'Evaluation', path: 'evaluation', Content: EvaluationPage },
  { title: 'Approval', path: 'approval', Content: ApprovalPage },
  { title: 'Staleness', path: 'staleness', Content: StalenessPage },
  { title: 'Integrations', path: 'integrations', Content: IntegrationsPage },
  { title: 'User data', path: 'user-data', Content: UserDataPage },
  { title: 'Danger zone', path: 'danger', Content: DangerPage }
] as const

/** The settings of a project, in tabs with an address each. */
export function SettingsPage() {
  const { org = '', project: reference = '', section = '' } = useParams({ strict: false })
  const query = useRead('getProject', { params: { key: reference } })
  const tab = tabs.find(({ path }) => path === section)
  return (
    <Page
      title="Project settings"
      tabs={
        <TabLinks label="Settings">
          {tabs.map(({ title, path }) =>
            path === '' ? (
              <TabLink
                key={path}
                to="/o/$org/p/$project/settings"
                params={{ org, project: reference }}
                activeOptions={{ exact: true, includeSearch: false }}
              >
                {title}
              </TabLink>
            ) : (
              <TabLink
                key={path}
                to="/o/$org/p/$project/settings/$section"
                params={{ org, project: reference, section: path }}
              >
                {title}
              </TabLink>
            )
          )}
        </TabLinks>
      }
    >
      <Loaded query={query} title="The settings could not be loaded" skeleton={<Skeleton rows={4} height={80} />}>
        {(project) => (
          <ProjectContext.Provider value={project}>
            <OpenRequests />
            {tab ? (
              <tab.Content key={`${project._id} ${tab.path}`} />
            ) : (
              <Empty title={`There are no settings named “${section}”.`} />
            )}
          </ProjectContext.Provider>
        )}
      </Loaded>
    </Page>
  )
}

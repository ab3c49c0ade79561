import { useParams } from '@tanstack/react-router'
import { TabLink, TabLinks } from '../components/TabLinks.tsx'

/** The pages of the organization, in the order of their tabs. */
export const organizationPages = [
  { title: 'Projects', to: '/o/$org/settings/projects' },
  { title: 'People', to: '/o/$org/settings/people' },
  { title: 'Roles', to: '/o/$org/settings/roles' },
  { title: 'Clients', to: '/o/$org/settings/clients' },
  { title: 'General', to: '/o/$org/settings/general' },
  { title: 'Integrations', to: '/o/$org/settings/integrations' },
  { title: 'Audit log', to: '/o/$org/settings/audit-log' },
  { title: 'Access log', to: '/o/$org/settings/access-log' }
] as const

/** The tabs of the organization, for the `tabs` of each of its pages. */
export function OrganizationTabs() {
  const { org = '' } = useParams({ strict: false })
  return (
    <TabLinks label="Organization">
      {organizationPages.map(({ title, to }) => (
        <TabLink key={to} to={to} params={{ org }}>
          {title}
        </TabLink>
      ))}
    </TabLinks>
  )
}

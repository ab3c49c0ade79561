import { useParams } from '@tanstack/react-router'
import { TabLinks } from '../parts/TabLinks.tsx'
import { organizationSettings } from './organizationSettings.ts'

/** The tabs of the organization, for the `tabs` of each of its pages. */
export function OrganizationTabs() {
  const { org = '' } = useParams({ strict: false })
  const tabs = organizationSettings.map(({ to, label }) => ({ title: label, to: `/o/${org}/settings/${to}` }))
  return <TabLinks label="Organization" tabs={tabs} />
}

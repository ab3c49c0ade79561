import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { organization } from '../../parents.ts'
import { validateAccessSearch } from './access/accessSearch.ts'

const general = createRoute({
  getParentRoute: () => organization,
  path: 'settings/general',
  component: lazyPage(() => import('./general/OrganizationGeneralPage.tsx'), 'OrganizationGeneralPage')
})

const integrations = createRoute({
  getParentRoute: () => organization,
  path: 'settings/integrations',
  component: lazyPage(() => import('./integrations/OrganizationIntegrationsPage.tsx'), 'OrganizationIntegrationsPage')
})

const accessLog = createRoute({
  getParentRoute: () => organization,
  path: 'settings/access-log',
  validateSearch: validateAccessSearch,
  component: lazyPage(() => import('./access/AccessLogPage.tsx'), 'AccessLogPage')
})

export const organizationRoutes = [general, integrations, accessLog] as const

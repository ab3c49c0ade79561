import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { feature, organization, project } from '../../parents.ts'
import { validateHistorySearch } from './historySearch.ts'

const ofFeature = createRoute({
  getParentRoute: () => feature,
  path: 'audit-log',
  validateSearch: validateHistorySearch,
  component: lazyPage(() => import('./FeatureHistoryPage.tsx'), 'FeatureHistoryPage')
})

const ofProject = createRoute({
  getParentRoute: () => project,
  path: 'audit-log',
  validateSearch: validateHistorySearch,
  component: lazyPage(() => import('./ProjectHistoryPage.tsx'), 'ProjectHistoryPage')
})

const ofOrganization = createRoute({
  getParentRoute: () => organization,
  path: 'settings/audit-log',
  validateSearch: validateHistorySearch,
  component: lazyPage(() => import('./AuditLogPage.tsx'), 'AuditLogPage')
})

export const auditLogRoutes = [ofOrganization] as const
export const featureHistoryRoutes = [ofFeature] as const
export const projectHistoryRoutes = [ofProject] as const

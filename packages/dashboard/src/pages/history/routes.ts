import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { feature, project } from '../../parents.ts'
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

export const featureHistoryRoutes = [ofFeature] as const
export const projectHistoryRoutes = [ofProject] as const

import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'
import { readAnalyticsSearch } from './search.ts'

const analytics = createRoute({
  getParentRoute: () => project,
  path: 'analytics',
  validateSearch: readAnalyticsSearch,
  component: lazyPage(() => import('./AnalyticsPage.tsx'), 'AnalyticsPage')
})

export const analyticsRoutes = [analytics] as const

import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { feature } from '../../parents.ts'
import { readResultsSearch } from './results/selection/resultsSearch.ts'

const overview = createRoute({
  getParentRoute: () => feature,
  path: 'overview',
  component: lazyPage(() => import('./overview/OverviewPage.tsx'), 'OverviewPage')
})

const results = createRoute({
  getParentRoute: () => feature,
  path: 'analytics',
  validateSearch: readResultsSearch,
  component: lazyPage(() => import('./results/ResultsPage.tsx'), 'ResultsPage')
})

export const featureRoutes = [overview, results] as const

import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { feature } from '../../parents.ts'
import { readResultsSearch } from './results/selection/resultsSearch.ts'

/** The address of a feature without a page: the overview. */
const start = createRoute({
  getParentRoute: () => feature,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$org/p/$project/features/$feature/overview', params, search: true, replace: true })
  }
})

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

const code = createRoute({
  getParentRoute: () => feature,
  path: 'code',
  component: lazyPage(() => import('./code/CodePage.tsx'), 'CodePage')
})

export const featureRoutes = [start, overview, results, code] as const

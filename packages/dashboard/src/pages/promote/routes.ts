import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { feature, project } from '../../parents.ts'
import { readCompareSearch, readPromoteSearch } from './search.ts'

/** Below a feature. */
export const compareRoutes = [
  createRoute({
    getParentRoute: () => feature,
    path: 'compare',
    validateSearch: readCompareSearch,
    component: lazyPage(() => import('./ComparePage.tsx'), 'ComparePage')
  })
] as const

/** Below a project. */
export const promoteRoutes = [
  createRoute({
    getParentRoute: () => project,
    path: 'promote',
    validateSearch: readPromoteSearch,
    component: lazyPage(() => import('./PromotePage.tsx'), 'PromotePage')
  })
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { project } from '../../parents.ts'
import { toListSearch } from './listSearch.ts'

const list = createRoute({
  getParentRoute: () => project,
  path: 'features',
  validateSearch: toListSearch,
  component: lazyRouteComponent(() => import('./FeatureListPage.tsx'), 'FeatureListPage')
})

export const featureListRoutes = [list] as const

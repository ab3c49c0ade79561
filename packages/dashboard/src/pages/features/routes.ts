import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'
import { toListSearch } from './listSearch.ts'

const list = createRoute({
  getParentRoute: () => project,
  path: 'features',
  validateSearch: toListSearch,
  component: lazyPage(() => import('./FeatureListPage.tsx'), 'FeatureListPage')
})

export const featureListRoutes = [list] as const

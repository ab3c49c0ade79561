import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'

const list = createRoute({
  getParentRoute: () => project,
  path: 'features',
  component: lazyPage(() => import('./FeatureListPage.tsx'), 'FeatureListPage')
})

export const featureListRoutes = [list] as const

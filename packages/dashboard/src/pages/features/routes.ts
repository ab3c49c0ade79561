import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { project } from '../../parents.ts'

const list = createRoute({
  getParentRoute: () => project,
  path: 'features',
  component: lazyRouteComponent(() => import('./FeatureListPage.tsx'), 'FeatureListPage')
})

export const featureListRoutes = [list] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { project } from '../../parents.ts'

const create = createRoute({
  getParentRoute: () => project,
  path: 'features/new',
  component: lazyRouteComponent(() => import('./CreateFeaturePage.tsx'), 'CreateFeaturePage')
})

export const newFeatureRoutes = [create] as const

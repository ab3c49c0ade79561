import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'

const create = createRoute({
  getParentRoute: () => project,
  path: 'features/new',
  component: lazyPage(() => import('./CreateFeaturePage.tsx'), 'CreateFeaturePage')
})

export const newFeatureRoutes = [create] as const

import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { feature } from '../../parents.ts'

const overview = createRoute({
  getParentRoute: () => feature,
  path: 'overview',
  component: lazyPage(() => import('./OverviewPage.tsx'), 'OverviewPage')
})

export const featureRoutes = [overview] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { feature } from '../../parents.ts'

const overview = createRoute({
  getParentRoute: () => feature,
  path: 'overview',
  component: lazyRouteComponent(() => import('./OverviewPage.tsx'), 'OverviewPage')
})

export const featureRoutes = [overview] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { project } from '../../parents.ts'

const stale = createRoute({
  getParentRoute: () => project,
  path: 'stale',
  component: lazyRouteComponent(() => import('./StalePage.tsx'), 'StalePage')
})

export const staleRoutes = [stale] as const

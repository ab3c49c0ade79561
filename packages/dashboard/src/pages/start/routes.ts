import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { project } from '../../parents.ts'

const start = createRoute({
  getParentRoute: () => project,
  path: 'start',
  component: lazyRouteComponent(() => import('./StartPage.tsx'), 'StartPage')
})

export const startRoutes = [start] as const

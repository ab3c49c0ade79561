import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { project } from '../../parents.ts'

const list = createRoute({
  getParentRoute: () => project,
  path: 'environments',
  component: lazyRouteComponent(() => import('./EnvironmentListPage.tsx'), 'EnvironmentListPage')
})

const one = createRoute({
  getParentRoute: () => project,
  path: 'environments/$environment',
  component: lazyRouteComponent(() => import('./EnvironmentPage.tsx'), 'EnvironmentPage')
})

export const environmentRoutes = [list, one] as const

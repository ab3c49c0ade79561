import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'

const list = createRoute({
  getParentRoute: () => project,
  path: 'environments',
  component: lazyPage(() => import('./EnvironmentListPage.tsx'), 'EnvironmentListPage')
})

const one = createRoute({
  getParentRoute: () => project,
  path: 'environments/$environment',
  component: lazyPage(() => import('./EnvironmentPage.tsx'), 'EnvironmentPage')
})

export const environmentRoutes = [list, one] as const

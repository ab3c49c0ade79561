import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'

const list = createRoute({
  getParentRoute: () => project,
  path: 'metrics',
  component: lazyPage(() => import('./MetricListPage.tsx'), 'MetricListPage')
})

const one = createRoute({
  getParentRoute: () => project,
  path: 'metrics/$metric',
  component: lazyPage(() => import('./MetricPage.tsx'), 'MetricPage')
})

export const metricRoutes = [list, one] as const

import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'

const stale = createRoute({
  getParentRoute: () => project,
  path: 'stale',
  component: lazyPage(() => import('./StalePage.tsx'), 'StalePage')
})

export const staleRoutes = [stale] as const

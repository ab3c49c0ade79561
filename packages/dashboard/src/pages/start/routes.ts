import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'

const start = createRoute({
  getParentRoute: () => project,
  path: 'start',
  component: lazyPage(() => import('./StartPage.tsx'), 'StartPage')
})

export const startRoutes = [start] as const

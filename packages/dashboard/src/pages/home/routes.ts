import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'

const home = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: lazyPage(() => import('./HomePage.tsx'), 'HomePage')
})

export const homeRoutes = [home] as const

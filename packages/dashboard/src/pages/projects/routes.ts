import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organization } from '../../parents.ts'

const list = createRoute({
  getParentRoute: () => organization,
  path: 'settings/projects',
  component: lazyRouteComponent(() => import('./ProjectListPage.tsx'), 'ProjectListPage')
})

export const projectListRoutes = [list] as const

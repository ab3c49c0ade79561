import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { organization } from '../../parents.ts'

const list = createRoute({
  getParentRoute: () => organization,
  path: 'settings/projects',
  component: lazyPage(() => import('./ProjectListPage.tsx'), 'ProjectListPage')
})

export const projectListRoutes = [list] as const

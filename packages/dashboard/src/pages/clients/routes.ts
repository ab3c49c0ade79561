import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { organization } from '../../parents.ts'

const list = createRoute({
  getParentRoute: () => organization,
  path: 'settings/clients',
  component: lazyPage(() => import('./ClientListPage.tsx'), 'ClientListPage')
})

const one = createRoute({
  getParentRoute: () => organization,
  path: 'settings/clients/$client',
  component: lazyPage(() => import('./ClientPage.tsx'), 'ClientPage')
})

export const clientRoutes = [list, one] as const

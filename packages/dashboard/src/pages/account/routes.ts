import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { organization } from '../../parents.ts'

const account = createRoute({
  getParentRoute: () => organization,
  path: 'settings/account',
  component: lazyPage(() => import('./AccountPage.tsx'), 'AccountPage')
})

export const accountRoutes = [account] as const

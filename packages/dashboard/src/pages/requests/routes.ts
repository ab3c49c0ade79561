import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { feature, project } from '../../parents.ts'
import { validateInboxSearch } from './inboxSearch.ts'

const inbox = createRoute({
  getParentRoute: () => project,
  path: 'change-requests',
  validateSearch: validateInboxSearch,
  component: lazyRouteComponent(() => import('./InboxPage.tsx'), 'InboxPage')
})

const request = createRoute({
  getParentRoute: () => feature,
  path: 'change-requests/$request',
  component: lazyRouteComponent(() => import('./RequestPage.tsx'), 'RequestPage')
})

export const inboxRoutes = [inbox] as const
export const requestRoutes = [request] as const

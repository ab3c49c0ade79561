import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { feature, project } from '../../parents.ts'
import { validateInboxSearch } from './inboxSearch.ts'

const inbox = createRoute({
  getParentRoute: () => project,
  path: 'change-requests',
  validateSearch: validateInboxSearch,
  component: lazyPage(() => import('./InboxPage.tsx'), 'InboxPage')
})

const ofProject = createRoute({
  getParentRoute: () => project,
  path: 'change-requests/$request',
  component: lazyPage(() => import('./project/ProjectRequestPage.tsx'), 'ProjectRequestPage')
})

const request = createRoute({
  getParentRoute: () => feature,
  path: 'change-requests/$request',
  component: lazyPage(() => import('./RequestPage.tsx'), 'RequestPage')
})

export const inboxRoutes = [inbox, ofProject] as const
export const requestRoutes = [request] as const

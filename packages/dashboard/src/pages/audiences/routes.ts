import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { project } from '../../parents.ts'

const list = createRoute({
  getParentRoute: () => project,
  path: 'audiences',
  component: lazyRouteComponent(() => import('./AudienceListPage.tsx'), 'AudienceListPage')
})

const one = createRoute({
  getParentRoute: () => project,
  path: 'audiences/$audience',
  component: lazyRouteComponent(() => import('./AudiencePage.tsx'), 'AudiencePage')
})

export const audienceRoutes = [list, one] as const

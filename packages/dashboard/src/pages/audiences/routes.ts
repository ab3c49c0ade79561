import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'

const list = createRoute({
  getParentRoute: () => project,
  path: 'audiences',
  component: lazyPage(() => import('./AudienceListPage.tsx'), 'AudienceListPage')
})

const one = createRoute({
  getParentRoute: () => project,
  path: 'audiences/$audience',
  component: lazyPage(() => import('./AudiencePage.tsx'), 'AudiencePage')
})

export const audienceRoutes = [list, one] as const

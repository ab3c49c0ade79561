import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { feature } from '../../parents.ts'

const variations = createRoute({
  getParentRoute: () => feature,
  path: 'variations',
  component: lazyPage(() => import('./VariationsPage.tsx'), 'VariationsPage')
})

export const variationRoutes = [variations] as const

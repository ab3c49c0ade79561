import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { feature } from '../../parents.ts'

const targeting = createRoute({
  getParentRoute: () => feature,
  path: 'manage-feature',
  validateSearch: ({ target }: Record<string, unknown>): { target?: string } =>
    typeof target === 'string' ? { target } : {},
  component: lazyRouteComponent(() => import('./TargetingPage.tsx'), 'TargetingPage')
})

export const targetingRoutes = [targeting] as const

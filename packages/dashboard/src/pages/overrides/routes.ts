import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organization } from '../../parents.ts'

const overrides = createRoute({
  getParentRoute: () => organization,
  path: 'settings/profile-overrides',
  component: lazyRouteComponent(() => import('./OverridesPage.tsx'), 'OverridesPage'),
  validateSearch: ({ project }: Record<string, unknown>): { project?: string } =>
    typeof project === 'string' ? { project } : {}
})

export const overrideRoutes = [overrides] as const

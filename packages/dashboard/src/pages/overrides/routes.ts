import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { organization } from '../../parents.ts'

const overrides = createRoute({
  getParentRoute: () => organization,
  path: 'settings/profile-overrides',
  component: lazyPage(() => import('./OverridesPage.tsx'), 'OverridesPage'),
  validateSearch: ({ project }: Record<string, unknown>): { project?: string } =>
    typeof project === 'string' ? { project } : {}
})

export const overrideRoutes = [overrides] as const

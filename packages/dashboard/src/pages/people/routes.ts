import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { organization } from '../../parents.ts'

const list = createRoute({
  getParentRoute: () => organization,
  path: 'settings/people',
  component: lazyPage(() => import('./PeoplePage.tsx'), 'PeoplePage'),
  validateSearch: ({ search }: Record<string, unknown>): { search?: string } =>
    typeof search === 'string' && search !== '' ? { search } : {}
})

const roles = createRoute({
  getParentRoute: () => organization,
  path: 'settings/roles',
  component: lazyPage(() => import('./roles/RolesPage.tsx'), 'RolesPage'),
  validateSearch: ({ person }: Record<string, unknown>): { person?: string } =>
    typeof person === 'string' ? { person } : {}
})

export const peopleRoutes = [list, roles] as const

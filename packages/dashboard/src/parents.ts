import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { whenListening } from './api/changes.ts'
import { queryClient, read } from './api/query.ts'
import { lazyPage } from './lazyPage.ts'
import { lastProject } from './preferences/preferences.ts'
import { Shell } from './shell/Shell.tsx'

// The routes that others are below. Each folder of pages has a routes.ts with its own.

export const root = createRootRoute()

/** Every page: needs the session, has the rail and the top bar. `env` is the chosen environment. */
export const shellRoute = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  loader: () => queryClient.ensureQueryData(read('getSession', {})).then(whenListening),
  validateSearch: ({ env }: Record<string, unknown>): { env?: string } => (typeof env === 'string' ? { env } : {})
})

/** The start: the last project of this browser, else the list of projects. */
export const entry = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: async () => {
    const session = await queryClient.ensureQueryData(read('getSession', {}))
    const org = session.organization.id
    const known = Object.keys(session.permissions.projects)
    const key = known.find((candidate) => candidate === lastProject()) ?? (known.length === 1 ? known[0] : undefined)
    throw key
      ? redirect({ to: '/o/$org/p/$project/features', params: { org, project: key }, replace: true })
      : redirect({ to: '/o/$org/settings/projects', params: { org }, replace: true })
  }
})

export const organization = createRoute({ getParentRoute: () => shellRoute, path: '/o/$org' })

/** The pages of one project. */
export const project = createRoute({ getParentRoute: () => organization, path: 'p/$project' })

/** The pages of one feature: its header and tabs around them. */
export const feature = createRoute({
  getParentRoute: () => project,
  path: 'features/$feature',
  component: lazyPage(() => import('./pages/feature/FeatureLayout.tsx'), 'FeatureLayout')
})

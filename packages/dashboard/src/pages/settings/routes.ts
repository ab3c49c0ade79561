import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'

const layout = createRoute({
  getParentRoute: () => project,
  path: 'settings',
  component: lazyPage(() => import('./SettingsLayout.tsx'), 'SettingsLayout')
})

const general = createRoute({
  getParentRoute: () => layout,
  path: '/',
  component: lazyPage(() => import('./GeneralPage.tsx'), 'GeneralPage')
})

const evaluation = createRoute({
  getParentRoute: () => layout,
  path: 'evaluation',
  component: lazyPage(() => import('./EvaluationPage.tsx'), 'EvaluationPage')
})

const approval = createRoute({
  getParentRoute: () => layout,
  path: 'approval',
  component: lazyPage(() => import('./ApprovalPage.tsx'), 'ApprovalPage')
})

const staleness = createRoute({
  getParentRoute: () => layout,
  path: 'staleness',
  component: lazyPage(() => import('./StalenessPage.tsx'), 'StalenessPage')
})

const integrations = createRoute({
  getParentRoute: () => layout,
  path: 'integrations',
  component: lazyPage(() => import('./IntegrationsPage.tsx'), 'IntegrationsPage')
})

const userData = createRoute({
  getParentRoute: () => layout,
  path: 'user-data',
  component: lazyPage(() => import('./UserDataPage.tsx'), 'UserDataPage')
})

const danger = createRoute({
  getParentRoute: () => layout,
  path: 'danger',
  component: lazyPage(() => import('./DangerPage.tsx'), 'DangerPage')
})

export const projectSettingsRoutes = [
  layout.addChildren([general, evaluation, approval, staleness, integrations, userData, danger])
] as const

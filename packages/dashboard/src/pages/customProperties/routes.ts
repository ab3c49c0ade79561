import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'

const list = createRoute({
  getParentRoute: () => project,
  path: 'custom-properties',
  component: lazyPage(() => import('./CustomPropertyPage.tsx'), 'CustomPropertyPage')
})

export const customPropertyRoutes = [list] as const

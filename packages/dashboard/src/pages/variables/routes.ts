import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'

const list = createRoute({
  getParentRoute: () => project,
  path: 'variables',
  validateSearch: ({ q, type }: Record<string, unknown>): { q?: string; type?: string } => ({
    ...(typeof q === 'string' && q ? { q } : {}),
    ...(typeof type === 'string' && type ? { type } : {})
  }),
  component: lazyPage(() => import('./VariableListPage.tsx'), 'VariableListPage')
})

const one = createRoute({
  getParentRoute: () => project,
  path: 'variables/$variable',
  component: lazyPage(() => import('./VariablePage.tsx'), 'VariablePage')
})

export const variableRoutes = [list, one] as const

import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'

interface ExplainSearch {
  /** The key of the feature whose path is open. */
  readonly feature?: string
  /** The key of a second environment. */
  readonly compare?: string
  /** The number of users, if there are two. */
  readonly users?: 2
}

const explain = createRoute({
  getParentRoute: () => project,
  path: 'explain',
  component: lazyPage(() => import('./ExplainPage.tsx'), 'ExplainPage'),
  validateSearch: ({ feature, compare, users }: Record<string, unknown>): ExplainSearch => ({
    ...(typeof feature === 'string' ? { feature } : {}),
    ...(typeof compare === 'string' ? { compare } : {}),
    ...(users === 2 ? { users } : {})
  })
})

export const explainRoutes = [explain] as const

import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'

interface ExplainSearch {
  /** The key of the feature whose path is open. */
  readonly feature?: string
  /** The key of a second environment. */
  readonly compare?: string
}

const explain = createRoute({
  getParentRoute: () => project,
  path: 'explain',
  component: lazyPage(() => import('./ExplainPage.tsx'), 'ExplainPage'),
  validateSearch: ({ feature, compare }: Record<string, unknown>): ExplainSearch => ({
    ...(typeof feature === 'string' ? { feature } : {}),
    ...(typeof compare === 'string' ? { compare } : {})
  })
})

export const explainRoutes = [explain] as const

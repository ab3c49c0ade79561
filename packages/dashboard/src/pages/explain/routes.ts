import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
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
  component: lazyRouteComponent(() => import('./ExplainPage.tsx'), 'ExplainPage'),
  validateSearch: ({ feature, compare }: Record<string, unknown>): ExplainSearch => ({
    ...(typeof feature === 'string' ? { feature } : {}),
    ...(typeof compare === 'string' ? { compare } : {})
  })
})

export const explainRoutes = [explain] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { project } from '../../parents.ts'
import { readDeliverySearch } from './deliveries/deliverySearch.ts'

const list = createRoute({
  getParentRoute: () => project,
  path: 'webhooks',
  component: lazyRouteComponent(() => import('./WebhookListPage.tsx'), 'WebhookListPage')
})

const one = createRoute({
  getParentRoute: () => project,
  path: 'webhooks/$webhook',
  validateSearch: readDeliverySearch,
  component: lazyRouteComponent(() => import('./WebhookPage.tsx'), 'WebhookPage')
})

export const webhookRoutes = [list, one] as const

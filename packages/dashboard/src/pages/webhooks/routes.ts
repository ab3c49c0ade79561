import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'
import { readDeliverySearch } from './deliveries/deliverySearch.ts'

const list = createRoute({
  getParentRoute: () => project,
  path: 'webhooks',
  component: lazyPage(() => import('./WebhookListPage.tsx'), 'WebhookListPage')
})

const one = createRoute({
  getParentRoute: () => project,
  path: 'webhooks/$webhook',
  validateSearch: readDeliverySearch,
  component: lazyPage(() => import('./WebhookPage.tsx'), 'WebhookPage')
})

export const webhookRoutes = [list, one] as const

import type { WebhookDelivery } from '@burgee/contract/schemas'

type Status = WebhookDelivery['status']

/** Which deliveries the page shows, and the open one. */
export interface DeliverySearch {
  readonly status?: Status
  readonly page?: number
  readonly delivery?: string
}

/** The number of deliveries on a page. */
export const DELIVERIES_PER_PAGE = 50

const statuses: readonly unknown[] = ['pending', 'delivered', 'dead'] satisfies readonly Status[]

/** The parts of an address that the page understands. */
export function readDeliverySearch({ status, page, delivery }: Record<string, unknown>): DeliverySearch {
  return {
    // The list has only statuses.
    ...(statuses.includes(status) ? { status: status as Status } : {}),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {}),
    ...(typeof delivery === 'string' && delivery !== '' ? { delivery } : {})
  }
}

import type { WebhookDelivery } from '@burgee/contract/schemas'
import { Badge } from '../../../components/Badge.tsx'

const tones = { pending: 'waiting', delivered: 'live', dead: 'danger' } as const

/** The words for the statuses. A message is `dead` to the API when it is not sent again. */
export const deliveryWords = { pending: 'pending', delivered: 'delivered', dead: 'failed' } as const

/** The status of a delivery. */
export function DeliveryStatus({ status }: Pick<WebhookDelivery, 'status'>) {
  return <Badge tone={tones[status]}>{deliveryWords[status]}</Badge>
}

import type { WebhookDelivery } from '@burgee/contract/schemas'
import { Badge } from '../../../parts/Badge.tsx'

const tones = { pending: 'waiting', delivered: 'live', dead: 'danger' } as const

/** The status of a delivery. */
export function DeliveryStatus({ status }: Pick<WebhookDelivery, 'status'>) {
  return <Badge tone={tones[status]}>{status}</Badge>
}

import type { Webhook, WebhookDelivery } from '@burgee/contract/schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useRead, useWrite } from '../../../api/query.ts'
import { useMissingPermission } from '../../../components/access/useMissingPermission.ts'
import { Button } from '../../../components/Button.tsx'
import { Code, CopyButton } from '../../../components/Copy.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { ErrorBanner, Loaded } from '../../../components/States.tsx'
import { formatMoment } from '../../../components/Time.tsx'
import { notify } from '../../../components/Toasts.ts'
import { eventTitle } from '../events.ts'
import { FeatureLink } from '../WebhookFacts.tsx'
import styles from '../Webhooks.module.css'
import { Attempt } from './Attempt.tsx'
import { DeliveryStatus } from './DeliveryStatus.tsx'

/** How often a delivery is read again until its next attempt has ended, in milliseconds. */
const POLL_MS = 1000

/** One delivery with all of its attempts, and a button that sends it again. */
export function DeliverySheet({ webhook, id }: { readonly webhook: Webhook; readonly id: string }) {
  const { project = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const client = useQueryClient()
  // The number of attempts before the message was sent again: the next one is awaited.
  const [awaited, setAwaited] = useState<number>()
  const isAwaited = (attempts: number) => awaited !== undefined && attempts <= awaited
  const query = useRead(
    'getWebhookDelivery',
    { params: { project, id: webhook._id, delivery: id } },
    { refetchInterval: (delivery) => (delivery && isAwaited(delivery.attempts.length) ? POLL_MS : false) }
  )
  const attempts = query.data?.attempts.length
  useEffect(() => {
    if (attempts) void client.invalidateQueries({ queryKey: ['listWebhookDeliveries'] })
  }, [attempts, client])
  const close = () =>
    void navigate({
      to: '.',
      search: ({ delivery: _closed, ...rest }: { delivery?: string }) => rest,
      resetScroll: false
    })
  return (
    <Dialog isOpen onClose={close} title="Delivery" shape="sheet">
      <Loaded query={query} title="The delivery could not be loaded">
        {(delivery) => (
          <div className={styles.form}>
            <Facts delivery={delivery} />
            <SendAgain
              webhook={webhook}
              delivery={delivery}
              isUnderWay={isAwaited(delivery.attempts.length)}
              onSent={() => setAwaited(delivery.attempts.length)}
            />
            <h3>Attempts</h3>
            {delivery.attempts.length === 0 && <p className={styles.soft}>None yet.</p>}
            {delivery.attempts
              .map((attempt, index) => <Attempt key={attempt.at} attempt={attempt} title={`Attempt ${index + 1}`} />)
              .reverse()}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

function Facts({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { _id, _feature, createdAt, events, status, reason, nextAttemptAt } = delivery
  return (
    <dl className={styles.facts}>
      <div>
        <dt>Status</dt>
        <dd>
          <DeliveryStatus status={status} />
          {reason !== undefined && ` ${reason}`}
          {nextAttemptAt !== undefined && <div>Next attempt {formatMoment(nextAttemptAt)}</div>}
        </dd>
      </div>
      <div>
        <dt>Message</dt>
        <dd>{events.map(eventTitle).join(', ')}</dd>
      </div>
      {_feature !== undefined && (
        <div>
          <dt>Feature</dt>
          <dd>
            <FeatureLink id={_feature} />
          </dd>
        </div>
      )}
      <div>
        <dt>Created</dt>
        <dd>{formatMoment(createdAt)}</dd>
      </div>
      <div>
        <dt>webhook-id</dt>
        <dd>
          <span className={styles.addressLine}>
            <Code>{_id}</Code>
            <CopyButton text={_id} label="Copy the ID of the message" />
          </span>
        </dd>
      </div>
    </dl>
  )
}

interface SendAgainProps {
  readonly webhook: Webhook
  readonly delivery: WebhookDelivery
  /** Whether the attempt is not finished. */
  readonly isUnderWay: boolean
  readonly onSent: () => void
}

function SendAgain({ webhook, delivery, isUnderWay, onSent }: SendAgainProps) {
  const { project = '' } = useParams({ strict: false })
  const permission = useMissingPermission('project:write:settings', project)
  const redeliver = useWrite('redeliverWebhook', ['getWebhookDelivery', 'listWebhookDeliveries'])
  const send = () =>
    redeliver.mutate(
      { params: { project, id: webhook._id, delivery: delivery._id } },
      {
        onSuccess: () => {
          onSent()
          notify({ text: 'Sending the message again with the same ID' })
        }
      }
    )
  return (
    <>
      <div>
        <Button
          isBusy={redeliver.isPending || isUnderWay}
          onClick={send}
          reason={permission ?? (webhook.enabled ? undefined : 'the webhook is off')}
        >
          {delivery.status === 'pending' ? 'Send now' : 'Send again'}
        </Button>
      </div>
      {redeliver.error && <ErrorBanner error={redeliver.error} />}
    </>
  )
}

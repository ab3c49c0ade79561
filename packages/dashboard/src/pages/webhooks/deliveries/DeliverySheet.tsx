import type { Webhook, WebhookDelivery } from '@burgee/contract/schemas'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRead, useWrite } from '../../../api/query.ts'
import { useMissingPermission } from '../../../parts/access/useMissingPermission.ts'
import { Button } from '../../../parts/Button.tsx'
import { Code, CopyButton } from '../../../parts/Copy.tsx'
import { Dialog } from '../../../parts/Dialog.tsx'
import { ErrorBanner, Loaded } from '../../../parts/States.tsx'
import { formatMoment } from '../../../parts/Time.tsx'
import { notify } from '../../../parts/Toasts.ts'
import { eventTitle } from '../events.ts'
import { FeatureLink } from '../WebhookFacts.tsx'
import styles from '../Webhooks.module.css'
import { Attempt } from './Attempt.tsx'
import { DeliveryStatus } from './DeliveryStatus.tsx'

/** One delivery with all of its attempts, and a button that sends it again. */
export function DeliverySheet({ webhook, id }: { readonly webhook: Webhook; readonly id: string }) {
  const { project = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const query = useRead('getWebhookDelivery', { params: { project, id: webhook._id, delivery: id } })
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
            <SendAgain webhook={webhook} delivery={delivery} />
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

function SendAgain({ webhook, delivery }: { readonly webhook: Webhook; readonly delivery: WebhookDelivery }) {
  const { project = '' } = useParams({ strict: false })
  const permission = useMissingPermission('project:write:settings', project)
  const redeliver = useWrite('redeliverWebhook', ['getWebhookDelivery', 'listWebhookDeliveries'])
  const send = () =>
    redeliver.mutate(
      { params: { project, id: webhook._id, delivery: delivery._id } },
      { onSuccess: () => notify({ text: 'Message sent again with the same ID' }) }
    )
  return (
    <>
      <div>
        <Button
          isBusy={redeliver.isPending}
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

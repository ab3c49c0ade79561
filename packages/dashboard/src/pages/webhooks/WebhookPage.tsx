import type { Webhook } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { Snippet } from '../../components/Copy.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { Switch } from '../../components/forms/Switch.tsx'
import { useNavigateFromHere } from '../../components/links/useNavigateFromHere.ts'
import { Page, Section } from '../../components/Page.tsx'
import { Banner, ErrorBanner, Loaded, Skeleton } from '../../components/States.tsx'
import { notify } from '../../components/Toasts.ts'
import { Deliveries } from './deliveries/Deliveries.tsx'
import { receiver } from './receiver.ts'
import { TestSection } from './TestSection.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'
import { WebhookFacts } from './WebhookFacts.tsx'
import { WebhookSecret } from './WebhookSecret.tsx'
import styles from './Webhooks.module.css'

/** One webhook: what it sends, its secret, a test, and the log of its deliveries. */
export function WebhookPage() {
  const { org = '', project = '', webhook: id = '' } = useParams({ strict: false })
  const query = useRead('getWebhook', { params: { project, id } })
  const { data: webhook } = query
  return (
    <Page
      title={webhook?.name ?? 'Webhook'}
      above={
        <Link to="/o/$org/p/$project/webhooks" params={{ org, project }}>
          ← Webhooks
        </Link>
      }
      beside={webhook && <EnabledSwitch webhook={webhook} />}
      actions={webhook && <Actions webhook={webhook} />}
    >
      <Loaded query={query} title="The webhook could not be loaded" skeleton={<Skeleton rows={4} height={96} />}>
        {(loaded) => <Sections webhook={loaded} />}
      </Loaded>
    </Page>
  )
}

function Sections({ webhook }: { readonly webhook: Webhook }) {
  const { project = '' } = useParams({ strict: false })
  const { setEnabled } = useEnabled(webhook)
  const reason = useMissingPermission('project:write:settings', project)
  return (
    <>
      {webhook.disabledReason !== undefined && !webhook.enabled && (
        <Banner tone="danger">
          <span>
            <strong>Stopped by the server:</strong> {webhook.disabledReason}
          </span>
          <Button onClick={() => setEnabled(true)} reason={reason}>
            Turn on again
          </Button>
        </Banner>
      )}
      <WebhookFacts webhook={webhook} />
      <WebhookSecret id={webhook._id} />
      <TestSection id={webhook._id} />
      <Deliveries webhook={webhook} />
      <Section title="Receive messages">
        <p className={styles.soft}>
          Verify the signature of the raw body, respond with 2xx within 15 seconds, and expect duplicates.
        </p>
        <Snippet label="Receiver for Node.js" text={receiver} />
      </Section>
    </>
  )
}

function useEnabled({ _id, name }: Webhook) {
  const { project = '' } = useParams({ strict: false })
  const update = useWrite('updateWebhook', ['listWebhooks', 'getWebhook', 'listWebhookDeliveries'])
  const send = (enabled: boolean, onSuccess?: () => void) =>
    update.mutate(
      { params: { project, id: _id }, body: { enabled } },
      {
        onSuccess: () => onSuccess?.(),
        onError: () => notify({ text: `Could not turn ${enabled ? 'on' : 'off'} ${name}` })
      }
    )
  const setEnabled = (enabled: boolean) =>
    send(enabled, () => notify({ text: `Turned ${enabled ? 'on' : 'off'} ${name}`, onUndo: () => send(!enabled) }))
  return { setEnabled }
}

function EnabledSwitch({ webhook }: { readonly webhook: Webhook }) {
  const { project = '' } = useParams({ strict: false })
  const { setEnabled } = useEnabled(webhook)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Switch
        label={`Send messages to ${webhook.name}`}
        isOn={webhook.enabled}
        onChange={(isOn) => (isOn ? setEnabled(true) : setAsking(true))}
        reason={useMissingPermission('project:write:settings', project)}
      />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Turn ${webhook.name} off`}
        action="Turn off"
        onConfirm={() => {
          setAsking(false)
          setEnabled(false)
        }}
      >
        <p>Pending messages are dropped. Changes made while the webhook is off are never sent.</p>
      </ConfirmDialog>
    </>
  )
}

function Actions({ webhook }: { readonly webhook: Webhook }) {
  const { project = '' } = useParams({ strict: false })
  const [open, setOpen] = useState<'change' | 'delete'>()
  const reason = useMissingPermission('project:write:settings', project)
  return (
    <>
      <Button onClick={() => setOpen('change')} reason={reason}>
        Edit…
      </Button>
      <Button onClick={() => setOpen('delete')} reason={reason}>
        Delete…
      </Button>
      {open === 'change' && <WebhookDialog webhook={webhook} onClose={() => setOpen(undefined)} />}
      <DeleteDialog webhook={webhook} isOpen={open === 'delete'} onClose={() => setOpen(undefined)} />
    </>
  )
}

interface DeleteProps {
  readonly webhook: Webhook
  readonly isOpen: boolean
  readonly onClose: () => void
}

function DeleteDialog({ webhook, isOpen, onClose }: DeleteProps) {
  const { org = '', project = '' } = useParams({ strict: false })
  const navigate = useNavigateFromHere()
  const remove = useWrite('deleteWebhook', ['listWebhooks'])
  const confirm = () =>
    remove.mutate(
      { params: { project, id: webhook._id } },
      {
        onSuccess: () => {
          notify({ text: `Deleted webhook ${webhook.name}` })
          void navigate({ to: '/o/$org/p/$project/webhooks', params: { org, project } })
        }
      }
    )
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${webhook.name}`}
      action="Delete webhook"
      isDangerous
      typed={webhook.name}
      isBusy={remove.isPending}
      onConfirm={confirm}
      error={remove.error && <ErrorBanner error={remove.error} />}
    >
      <p>Its secret and the log of its deliveries are deleted too. This cannot be undone.</p>
    </ConfirmDialog>
  )
}

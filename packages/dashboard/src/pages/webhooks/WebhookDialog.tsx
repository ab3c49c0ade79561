import type { Webhook } from '@burgee/contract/schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { isConflict } from '../../api/issues.ts'
import { ifMatch, useWrite } from '../../api/query.ts'
import { refetchAfterWrite } from '../../api/refetch.ts'
import { FormDialog } from '../../components/forms/FormDialog.tsx'
import { useNavigateFromHere } from '../../components/links/useNavigateFromHere.ts'
import { notify } from '../../components/Toasts.ts'
import { emptyWebhookForm, toWebhookBody, toWebhookForm, toWebhookUpdate, type WebhookForm } from './form.ts'
import { WebhookFields } from './WebhookFields.tsx'

const fields = ['name', 'description', 'url', 'events', '_feature', '_environments', 'outputFormat']

interface Props {
  /** The webhook to change; a new one without it. */
  readonly webhook?: Webhook
  readonly onClose: () => void
}

/** Creates a webhook, or changes one. */
export function WebhookDialog({ webhook, onClose }: Props) {
  const [edits, setEdits] = useState<Partial<WebhookForm>>({})
  const create = useCreate(onClose)
  const update = useUpdate(onClose)
  const { isPending, error } = webhook ? update : create
  const form = { ...(webhook ? toWebhookForm(webhook) : emptyWebhookForm), ...edits }
  const submit = () => {
    if (webhook) update.save(webhook, form)
    else create.save(form)
  }
  return (
    <FormDialog
      onClose={onClose}
      title={webhook ? `Change ${webhook.name}` : 'New webhook'}
      shape="sheet"
      action={webhook ? 'Save webhook' : 'Create webhook'}
      onSubmit={submit}
      isBusy={isPending}
      error={error}
      fields={fields}
    >
      <WebhookFields form={form} onEdit={(edit) => setEdits({ ...edits, ...edit })} error={error} />
    </FormDialog>
  )
}

function useCreate(onClose: () => void) {
  const { org = '', project = '' } = useParams({ strict: false })
  const navigate = useNavigateFromHere()
  const { mutate, isPending, error } = useWrite('createWebhook', ['listWebhooks'])
  const save = (form: WebhookForm) =>
    mutate(
      { params: { project }, body: toWebhookBody(form) },
      {
        onSuccess: ({ _id }) => {
          onClose()
          void navigate({ to: '/o/$org/p/$project/webhooks/$webhook', params: { org, project, webhook: _id } })
        }
      }
    )
  return { save, isPending, error }
}

function useUpdate(onClose: () => void) {
  const { project = '' } = useParams({ strict: false })
  const client = useQueryClient()
  const { mutate, isPending, error } = useWrite('updateWebhook', ['listWebhooks', 'getWebhook'])
  const save = (webhook: Webhook, form: WebhookForm) => {
    const params = { project, id: webhook._id }
    const before = toWebhookForm(webhook)
    mutate(
      { params, headers: ifMatch(webhook), body: toWebhookUpdate(before, form) },
      {
        onError: (failure) => {
          if (isConflict(failure)) void refetchAfterWrite(client, { queryKey: ['getWebhook'] })
        },
        onSuccess: () => {
          onClose()
          notify({
            text: 'Saved the webhook',
            onUndo: () => mutate({ params, body: toWebhookUpdate(form, before) })
          })
        }
      }
    )
  }
  return { save, isPending, error }
}

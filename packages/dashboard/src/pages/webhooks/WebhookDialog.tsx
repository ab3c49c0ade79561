import type { Webhook } from '@burgee/contract/schemas'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useWrite } from '../../api/query.ts'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { FormError } from '../../parts/FormError.tsx'
import { notify } from '../../parts/Toasts.tsx'
import { emptyForm, toBody, toForm } from './form.ts'
import { WebhookFields } from './WebhookFields.tsx'
import styles from './Webhooks.module.css'

const fields = ['name', 'description', 'url', 'events', '_feature', '_environments', 'outputFormat']

interface Props {
  /** The webhook to change; a new one without it. */
  readonly webhook?: Webhook
  readonly onClose: () => void
}

/** Makes a webhook, or changes one. */
export function WebhookDialog({ webhook, onClose }: Props) {
  const [form, setForm] = useState(() => (webhook ? toForm(webhook) : emptyForm))
  const { save, isPending, error } = useSave(webhook, onClose)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) save(toBody(form))
  }
  return (
    <Dialog isOpen onClose={onClose} title={webhook ? `Change ${webhook.name}` : 'New webhook'} shape="sheet">
      <form onSubmit={submit} className={styles.form} noValidate>
        <WebhookFields form={form} onChange={setForm} error={error} />
        <FormError error={error} fields={fields} />
        <div className={styles.buttons}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={isPending}>
            {webhook ? 'Save webhook' : 'Create webhook'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function useSave(webhook: Webhook | undefined, onClose: () => void) {
  const { org = '', project = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const create = useWrite('createWebhook', ['listWebhooks'])
  const update = useWrite('updateWebhook', ['listWebhooks', 'getWebhook'])
  const save = (body: ReturnType<typeof toBody>) => {
    if (!webhook) {
      create.mutate(
        { params: { project }, body },
        {
          onSuccess: ({ _id }) => {
            onClose()
            void navigate({ to: '/o/$org/p/$project/webhooks/$webhook', params: { org, project, webhook: _id } })
          }
        }
      )
      return
    }
    const params = { project, id: webhook._id }
    update.mutate(
      { params, body },
      {
        onSuccess: () => {
          onClose()
          const before = toBody(toForm(webhook))
          notify({ text: 'Webhook saved', onUndo: () => update.mutate({ params, body: before }) })
        }
      }
    )
  }
  return { save, isPending: create.isPending || update.isPending, error: create.error ?? update.error }
}

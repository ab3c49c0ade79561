import { useParams } from '@tanstack/react-router'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/Copy.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { Section } from '../../components/Page.tsx'
import { ErrorBanner } from '../../components/States.tsx'
import { formatMoment } from '../../components/Time.tsx'
import { notify } from '../../components/Toasts.ts'
import styles from './Webhooks.module.css'

/** The signing secret: read on request only, and rotated with a day in which both secrets sign. */
export function WebhookSecret({ id }: { readonly id: string }) {
  const { project = '' } = useParams({ strict: false })
  const [isShown, setShown] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const reason = useMissingPermission('project:write:settings', project)
  const secret = useRead('getWebhookSecret', { params: { project, id } }, { enabled: isShown })
  const text = isShown ? secret.data?.secret : undefined
  return (
    <Section
      title="Secret"
      actions={
        <Button onClick={() => setAsking(true)} reason={reason}>
          Replace…
        </Button>
      }
    >
      <p className={styles.soft}>Receivers use the secret to verify that a message is from this server.</p>
      <div className={styles.secret}>
        <code className={styles.wrap}>{text ?? `whsec_${'•'.repeat(16)}`}</code>
        {text !== undefined && <CopyButton text={text} label="Copy the secret" />}
        <Button
          icon={isShown ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
          aria-pressed={isShown}
          isBusy={isShown && secret.isPending}
          onClick={() => setShown(!isShown)}
          reason={reason}
        >
          {isShown ? 'Hide secret' : 'Show secret'}
        </Button>
      </div>
      {isShown && secret.data?.previousEndsAt !== undefined && (
        <p>Messages are also signed with the previous secret until {formatMoment(secret.data.previousEndsAt)}.</p>
      )}
      {isShown && secret.isError && <ErrorBanner error={secret.error} onRetry={() => void secret.refetch()} />}
      <ReplaceDialog id={id} isOpen={isAsking} onClose={() => setAsking(false)} onReplaced={() => setShown(true)} />
    </Section>
  )
}

interface ReplaceProps {
  readonly id: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onReplaced: () => void
}

function ReplaceDialog({ id, isOpen, onClose, onReplaced }: ReplaceProps) {
  const { project = '' } = useParams({ strict: false })
  const rotate = useWrite('rotateWebhookSecret', ['getWebhookSecret'])
  const confirm = () =>
    rotate.mutate(
      { params: { project, id } },
      {
        onSuccess: () => {
          onClose()
          onReplaced()
          notify({ text: 'Replaced the secret. Messages have both signatures for a day.' })
        }
      }
    )
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Replace the secret"
      action="Replace secret"
      isBusy={rotate.isPending}
      onConfirm={confirm}
      error={rotate.error && <ErrorBanner error={rotate.error} />}
    >
      <p>For one day, messages have two signatures: one with the current secret and one with the new one.</p>
      <p>Configure your receiver with the new secret within that day. This cannot be undone.</p>
    </ConfirmDialog>
  )
}

import { useParams } from '@tanstack/react-router'
import { useWrite } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { Section } from '../../components/Page.tsx'
import { ErrorBanner } from '../../components/States.tsx'
import { Attempt } from './deliveries/Attempt.tsx'
import styles from './Webhooks.module.css'

/** Sends a test message, and shows the response of the receiver. */
export function TestSection({ id }: { readonly id: string }) {
  const { project = '' } = useParams({ strict: false })
  const test = useWrite('testWebhook', [])
  return (
    <Section
      title="Test"
      actions={
        <Button
          isBusy={test.isPending}
          onClick={() => test.mutate({ params: { project, id } })}
          reason={useMissingPermission('project:write:settings', project)}
        >
          Send a test message
        </Button>
      }
    >
      <p className={styles.soft}>
        A test message is sent once, even while the webhook is off, and contains <code>"test": true</code>.
      </p>
      <div role="status">
        {test.isPending && 'Waiting for the receiver, up to 15 seconds…'}
        {test.data && !test.isPending && <Attempt attempt={test.data} title="Test message" />}
      </div>
      {test.error && <ErrorBanner error={test.error} />}
    </Section>
  )
}

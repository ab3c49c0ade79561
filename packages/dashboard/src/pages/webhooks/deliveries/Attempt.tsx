import type { WebhookAttempt } from '@burgee/contract/schemas'
import { Badge } from '../../../components/Badge.tsx'
import { formatMoment } from '../../../components/Time.tsx'
import styles from '../Webhooks.module.css'

/** One attempt to deliver a message: its time, its duration, and the response of the receiver. */
export function Attempt({ attempt, title }: { readonly attempt: WebhookAttempt; readonly title: string }) {
  const { at, status, error, response, durationMs } = attempt
  const isAccepted = status !== undefined && status >= 200 && status < 300
  return (
    <div className={styles.attempt}>
      <p className={styles.attemptHead}>
        <strong>{title}</strong>
        <Badge tone={isAccepted ? 'live' : 'danger'}>{status === undefined ? 'no response' : `status ${status}`}</Badge>
        <span className={styles.soft}>
          {formatMoment(at)}, {formatDuration(durationMs)}
        </span>
      </p>
      {error !== undefined && <p>{error}</p>}
      {response !== undefined && response !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard.
        <section tabIndex={0} aria-label={`${title}: beginning of the response`} className={styles.response}>
          <pre>{response}</pre>
        </section>
      )}
    </div>
  )
}

/** A duration to read: milliseconds below a second, else seconds. */
function formatDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}

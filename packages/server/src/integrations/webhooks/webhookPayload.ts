import type { AuditLogChange } from '@burgee/contract/schemas'
import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import type { ChangeNotification } from '../../storage/resources/notification.ts'

/** The body of a webhook message (docs/guides/webhooks.md, Body). */
export interface WebhookPayload {
  /** The distinct types of the changes. */
  readonly events: readonly string[]
  /** The key of the feature before the change; in warnings, the key of the environment or the id of the client. */
  readonly key: string
  /** The key of the project. */
  readonly projectId: string
  readonly version: 'v1'
  readonly changes: readonly Omit<AuditLogChange, 'newContents' | 'previousContents'>[]
  /** Set when the contents of the changes are omitted because of their size. */
  readonly contentsOmitted?: true
  readonly date: string
  readonly user: ChangeNotification['user']
  /** Set in the sample that a test sends. */
  readonly test?: true
}

/** Builds the payload for the changes of an entry that the notification selects. */
export function toWebhookPayload(
  { changes, key, project, user }: ChangeNotification,
  entry: StoredAuditEntry
): WebhookPayload {
  const selected = changes.flatMap((index) => entry.changes[index] ?? [])
  return {
    events: [...new Set(selected.map(({ type }) => type))],
    key,
    projectId: project,
    version: 'v1',
    changes: selected,
    date: entry.createdAt,
    user
  }
}

/**
 * Serializes a payload. Above `MAX_BYTES`, which receivers might refuse, the contents of changes are omitted; the audit
 * log has them.
 */
export function serializePayload(payload: WebhookPayload): string {
  const json = JSON.stringify(payload)
  if (Buffer.byteLength(json) <= MAX_BYTES) return json
  const changes = payload.changes.map(({ type, _environments }) => ({
    type,
    ...(_environments ? { _environments } : {})
  }))
  return JSON.stringify({ ...payload, changes, contentsOmitted: true } satisfies WebhookPayload)
}

/** Enough for hundreds of targets. Nearly all payloads are below the 20 kB that Standard Webhooks recommends. */
const MAX_BYTES = 256 * 1024

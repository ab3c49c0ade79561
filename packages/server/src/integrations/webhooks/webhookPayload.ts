import type { AuditLogChange } from '@burgee/contract/schemas'
import type { ChangeNotification, StoredAuditEntry } from '../../storage/resources.ts'

/** What a webhook is sent about a change (`management.md` §9). */
export interface WebhookPayload {
  /** The types of the changes, each once. */
  readonly events: readonly string[]
  /** Key of the feature, before the change. */
  readonly key: string
  /** Key of the project. */
  readonly projectId: string
  readonly version: 'v1'
  readonly changes: readonly Omit<AuditLogChange, 'newContents' | 'previousContents'>[]
  /** Whether the contents of the changes were too large to be sent. */
  readonly contentsOmitted?: true
  readonly date: string
  readonly user: ChangeNotification['user']
  /** Whether nothing changed, and somebody only tries the webhook. */
  readonly test?: true
}

/** What a webhook is sent about the changes of an entry that it is told of. */
export function toWebhookPayload(
  { changes, key, project, user }: ChangeNotification,
  entry: StoredAuditEntry
): WebhookPayload {
  const told = changes.flatMap((place) => entry.changes[place] ?? [])
  return {
    events: [...new Set(told.map(({ type }) => type))],
    key,
    projectId: project,
    version: 'v1',
    changes: told,
    date: entry.createdAt,
    user
  }
}

/** A body as text. Of one that receivers could refuse for its size, the contents stay out: the audit log has them. */
export function serializePayload(body: WebhookPayload): string {
  const whole = JSON.stringify(body)
  if (Buffer.byteLength(whole) <= MAX_BYTES) return whole
  const changes = body.changes.map(({ type, _environments }) => ({
    type,
    ...(_environments ? { _environments } : {})
  }))
  return JSON.stringify({ ...body, changes, contentsOmitted: true } satisfies WebhookPayload)
}

/** Enough for hundreds of targets. Standard Webhooks asks for less than 20 kB, which nearly every change keeps to. */
const MAX_BYTES = 256 * 1024

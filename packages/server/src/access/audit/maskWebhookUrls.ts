import type { AuditLogChange } from '@burgee/contract/schemas'
import { maskUrlInChanges } from './maskUrlInChanges.ts'

/** Masks the URLs of webhooks in recorded changes: receivers often carry a secret in the URL, at any position. */
export function maskWebhookUrls(changes: readonly AuditLogChange[]): AuditLogChange[] {
  return maskUrlInChanges(changes, 'url')
}

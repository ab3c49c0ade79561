import type { AuditLogChange } from '@burgee/contract/schemas'
import { maskUrlInChanges } from './maskUrlInChanges.ts'

/** Changes of webhooks as audit entries tell them: receivers are known to tell callers by a secret in the address, which can stand anywhere in it. */
export function maskWebhookUrls(changes: readonly AuditLogChange[]): AuditLogChange[] {
  return maskUrlInChanges(changes, 'url')
}

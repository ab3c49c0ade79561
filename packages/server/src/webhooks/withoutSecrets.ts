import type { AuditLogChange } from '@burgee/contract'
import { maskAddress } from '../audit/maskAddress.ts'

/** Changes of webhooks as audit entries tell them: receivers are known to tell callers by a secret in the address, which can stand anywhere in it. */
export function withoutSecrets(changes: readonly AuditLogChange[]): AuditLogChange[] {
  return maskAddress(changes, 'url')
}

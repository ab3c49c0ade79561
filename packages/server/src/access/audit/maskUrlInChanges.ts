import type { AuditLogChange } from '@burgee/contract/schemas'
import { maskUrl } from '@burgee/kit/text'

/** Masks the URL in one member of the recorded changes. */
export function maskUrlInChanges(changes: readonly AuditLogChange[], member: string): AuditLogChange[] {
  const mask = (contents: AuditLogChange['newContents']): AuditLogChange['newContents'] => {
    const url = contents?.[member]
    return typeof url === 'string' ? { ...contents, [member]: maskUrl(url) } : contents
  }
  return changes.map((change) => ({
    ...change,
    newContents: mask(change.newContents),
    previousContents: mask(change.previousContents)
  }))
}

import type { AuditLogChange } from '@burgee/contract'

/** Changes of webhooks as audit entries tell them: receivers are known to tell callers by a secret in the address, which can stand anywhere in it. */
export function withoutSecrets(changes: readonly AuditLogChange[]): AuditLogChange[] {
  return changes.map((change) => ({
    ...change,
    newContents: withoutSecret(change.newContents),
    previousContents: withoutSecret(change.previousContents)
  }))
}

function withoutSecret(contents: AuditLogChange['newContents']): AuditLogChange['newContents'] {
  if (typeof contents?.url !== 'string') return contents
  return { ...contents, url: maskedUrl(contents.url) }
}

/** An address of which only the server is told. */
export function maskedUrl(url: string): string {
  const { origin, href } = new URL(url)
  return href === `${origin}/` ? href : `${origin}/****`
}

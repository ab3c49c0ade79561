import type { AuditLogEntry } from '@burgee/contract/schemas'
import { featureChangeTypes } from '../../components/diff/changeWords.ts'

const types: ReadonlySet<string> = new Set(
  featureChangeTypes.filter((type) => type !== 'createdFeature' && type !== 'appliedInEmergency')
)

/** Whether an entry changed a feature itself, so that it can be reverted. A creation is reverted by deletion. */
export function isRevertible({ changes }: AuditLogEntry): boolean {
  return changes.some(({ type }) => types.has(type)) && !changes.some(({ type }) => type === 'createdFeature')
}

/** The entries that reverting one reverts: it and all later ones, the newest first. */
export function revertedEntries(entries: readonly AuditLogEntry[], id: string): readonly AuditLogEntry[] | undefined {
  const index = entries.findIndex(({ _id }) => _id === id)
  return index === -1 ? undefined : entries.slice(0, index + 1).filter(isRevertible)
}

import type { AuditLogEntry, ChangeRequest } from '@burgee/contract/schemas'
import { featureChangeTypes } from '../../../components/diff/changeWords.ts'

const types: ReadonlySet<string> = new Set(featureChangeTypes.filter((type) => type !== 'appliedInEmergency'))

/** Whether a request is based on the current state of its feature. If not, lists the changes made since. */
export type BaseComparison =
  | { readonly isUpToDate: true }
  | { readonly isUpToDate: false; readonly since: readonly AuditLogEntry[] }

/**
 * Compares the state that a request is based on with the newest changes of its feature, the newest first. `undefined` if
 * they do not reach back that far.
 */
export function compareWithBase(
  request: ChangeRequest,
  entries: readonly AuditLogEntry[],
  isWhole: boolean
): BaseComparison | undefined {
  const changes = entries.filter((entry) => entry.changes.some(({ type }) => types.has(type)))
  const base = changes.findIndex(({ _id }) => _id === request._baseFeatureSnapshot)
  if (base === 0 || (changes.length === 0 && isWhole)) return { isUpToDate: true }
  if (base > 0) return { isUpToDate: false, since: changes.slice(0, base) }
  return isWhole ? { isUpToDate: false, since: changes } : undefined
}

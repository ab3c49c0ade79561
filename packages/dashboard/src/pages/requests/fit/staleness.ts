import type { AuditLogEntry, ChangeRequest } from '@burgee/contract/schemas'
import { featureChangeTypes } from '../../../parts/diff/changeWords.ts'

const types: ReadonlySet<string> = new Set(featureChangeTypes.filter((type) => type !== 'appliedInEmergency'))

/** Whether a request fits the feature as it is: the changes since the state that the request is based on. */
export type Fit = { readonly fits: true } | { readonly fits: false; readonly since: readonly AuditLogEntry[] }

/**
 * Compares the state that a request is based on with the newest changes of its feature, the newest first. `undefined` if
 * they do not reach back that far.
 */
export function fitOf(request: ChangeRequest, entries: readonly AuditLogEntry[], isWhole: boolean): Fit | undefined {
  const changes = entries.filter((entry) => entry.changes.some(({ type }) => types.has(type)))
  const base = changes.findIndex(({ _id }) => _id === request._baseFeatureSnapshot)
  if (base === 0 || (changes.length === 0 && isWhole)) return { fits: true }
  if (base > 0) return { fits: false, since: changes.slice(0, base) }
  return isWhole ? { fits: false, since: changes } : undefined
}

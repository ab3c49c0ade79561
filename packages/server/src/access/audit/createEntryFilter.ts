import type { AuditLogEntry } from '@burgee/contract/schemas'

/** Conditions on the content of entries. */
interface ContentFilter {
  /** The type of a change. */
  readonly type?: string | undefined
  /** A text in the entry, in any case. */
  readonly search?: string | undefined
  /** The ids of the features whose entries contain the text in any case. */
  readonly features: ReadonlySet<string>
}

/** Creates a filter of entries as a caller sees them, so that a search cannot reveal hidden members. */
export function createEntryFilter({ type, search, features }: ContentFilter): (entry: AuditLogEntry) => boolean {
  const text = search?.toLowerCase()
  const isFound = (value: unknown): boolean => {
    if (typeof value === 'string') return value.toLowerCase().includes(text ?? '')
    if (typeof value === 'number' || typeof value === 'boolean') return String(value).includes(text ?? '')
    return typeof value === 'object' && value !== null && Object.values(value).some(isFound)
  }
  return ({ changes, _feature = '', idp_user, clientId, assistant, changeRequest, workload }) => {
    if (type !== undefined && !changes.some((change) => change.type === type)) return false
    if (text === undefined || features.has(_feature)) return true
    const contents = changes.map(({ newContents, previousContents, metadata }) => {
      return [newContents, previousContents, metadata]
    })
    return isFound([idp_user, clientId, assistant, changeRequest, workload, contents])
  }
}

import type { AuditAnchor } from '@burgee/contract/schemas'
import { HistoryError } from '../../storage/auditLog.ts'
import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import { hashEntry } from '../audit/hashChain.ts'

/** Whether a log matches its anchors. */
export interface AnchorVerification {
  /** The last anchor before the first one that differs; the newest one if none differs. */
  readonly match: AuditAnchor | undefined
  /** The number of anchors that match. */
  readonly matches: number
  /** The first anchor that the log does not match. */
  readonly mismatch:
    | {
        readonly anchor: AuditAnchor
        /** Whether the log ends before the anchored entry. */
        readonly isMissing: boolean
        /** The first entry after the matching anchor, which is the first that can have been changed. */
        readonly since: { readonly position: number; readonly date: string | undefined }
      }
    | undefined
}

/** Compares the entries of an organization, oldest first, with anchors of earlier heads. */
export async function verifyAnchors(
  entries: AsyncIterable<StoredAuditEntry>,
  anchors: readonly AuditAnchor[]
): Promise<AnchorVerification> {
  const anchored = new Set(anchors.flatMap(({ position }) => [position, position + 1]))
  const found = new Map<number, { readonly hash: string; readonly date: string }>()
  try {
    for await (const entry of entries) {
      if (entry.position === undefined || !anchored.has(entry.position)) continue
      found.set(entry.position, { hash: hashEntry(entry), date: entry.createdAt })
    }
  } catch (error) {
    // The entries after a damaged line are missing.
    if (!(error instanceof HistoryError)) throw error
  }
  const sorted = [...anchors].sort((one, other) => one.position - other.position || (one.date < other.date ? -1 : 1))
  const isMatch = ({ position, head }: AuditAnchor) => found.get(position)?.hash === head
  const index = sorted.findIndex((anchor) => !isMatch(anchor))
  const anchor = sorted[index]
  const match = index < 0 ? sorted.at(-1) : sorted[index - 1]
  const matches = sorted.filter(isMatch).length
  if (!anchor) return { match, matches, mismatch: undefined }
  const position = (match?.position ?? 0) + 1
  const since = { position, date: found.get(position)?.date }
  return { match, matches, mismatch: { anchor, isMissing: !found.has(anchor.position), since } }
}

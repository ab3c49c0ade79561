import type { AuditVerification } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createTimeSlices } from '../../lib/time.ts'
import { type AuditLog, HistoryError } from '../../storage/auditLog.ts'
import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import { type ChainHead, genesisHeadFromHashes, hashEntry, isUnchained } from './hashChain.ts'
import { iterateEntries } from './iterateEntries.ts'

/** Verifies the log of one organization. `hash` is the hash of an entry that the log is known to have contained. */
export async function verifyAuditLog(log: AuditLog, organization: string, hash?: string): Promise<AuditVerification> {
  const head = log.organizations.find(({ key }) => key === organization)?.auditHead
  const verification = await verifyChain(iterateEntries(log, organization), { head, hash })
  const uncounted = await log.findUncounted()
  return uncounted ? { ...verification, uncounted } : verification
}

/** Evidence outside of the entries that the log must match. */
export interface ChainExpectation {
  /** The head that the organization record names; absent as long as there is no chain. */
  readonly head?: ChainHead | undefined
  /** The hash of an entry that the log once contained, kept by the caller. */
  readonly hash?: string | undefined
}

/**
 * Verifies the entries of an organization, oldest first, against their hashes, against each other and against the
 * expectation. Stops at the first entry that differs from what was written.
 */
export async function verifyChain(
  entries: AsyncIterable<StoredAuditEntry>,
  { head, hash }: ChainExpectation = {}
): Promise<AuditVerification> {
  const earlier: string[] = []
  const slices = createTimeSlices()
  let count = 0
  let last: (ChainHead & Pick<StoredAuditEntry, '_id'>) | undefined
  let isHashFound = hash === undefined
  const position = () => (last?.position ?? 0) + 1
  const broken = (location: Omit<Broken, 'reason'>, reason: string): AuditVerification => {
    return { isIntact: false, entries: count, broken: { ...location, reason } }
  }
  try {
    for await (const entry of entries) {
      count++
      await slices.yieldIfDue()
      if (!last && isUnchained(entry)) {
        earlier.push(hashEntry(entry))
        continue
      }
      const location = { _id: entry._id, position: position(), date: entry.createdAt }
      const defect = findDefect(entry, last ?? genesisHeadFromHashes(earlier), head)
      if (defect) return broken(defect.isGap ? { position: position() } : location, defect.reason)
      last = { _id: entry._id, position: location.position, hash: hashEntry(entry) }
      isHashFound ||= last.hash === hash
    }
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error
    const { _id, createdAt: date, position: claimedPosition } = error.location
    const before = last ? `; the entry before it is ${last._id}` : ''
    // The position that a damaged line claims is used at the start of the chain only, where no earlier entry gives it.
    return broken(
      omitUndefined({ _id, date, position: last ? position() : claimedPosition }),
      `${error.message}${before}`
    )
  }
  if (head && position() <= head.position) {
    return broken({ position: position() }, `${missing(position(), head.position)} at the end of the log`)
  }
  if (!isHashFound) return broken({}, `no entry has the hash ${hash}: the log was rewritten or truncated`)
  return { isIntact: true, entries: count, ...(last ? { head: last.hash } : {}) }
}

type Broken = NonNullable<AuditVerification['broken']>

/** Returns why an entry cannot follow the one before it. A gap is not a defect of this entry. */
function findDefect(
  entry: StoredAuditEntry,
  last: ChainHead,
  head: ChainHead | undefined
): { readonly reason: string; readonly isGap?: true } | undefined {
  const { position, previousHash, hash } = entry
  const expected = last.position + 1
  if (isUnchained(entry)) return { reason: 'it has no position in the chain but follows chained entries' }
  if (hash === undefined || hash !== hashEntry(entry)) return { reason: 'its content does not match its hash' }
  if (position !== undefined && position > expected) {
    return { reason: `${missing(expected, position - 1)}: entry ${position} (${entry._id}) comes next`, isGap: true }
  }
  if (position !== expected) return { reason: `its position is ${position}, but it follows entry ${last.position}` }
  if (previousHash !== last.hash) {
    const before = expected === 1 ? 'the entries that precede the chain' : `entry ${last.position}`
    return { reason: `its previous hash does not match ${before}` }
  }
  if (expected > (head?.position ?? 0))
    return { reason: `it follows the recorded end of the log, which is ${endOf(head)}` }
  if (expected === head?.position && hash !== head.hash)
    return { reason: 'its hash does not match the recorded end of the log' }
  return undefined
}

function missing(from: number, to: number): string {
  return from === to ? `entry ${from} is missing` : `entries ${from} to ${to} are missing`
}

function endOf(head: ChainHead | undefined): string {
  return head ? `entry ${head.position}` : 'before its first entry'
}

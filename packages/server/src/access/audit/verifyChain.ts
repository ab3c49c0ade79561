import type { AuditVerification } from '@burgee/contract/schemas'
import { omitUndefined } from '../../lib/object.ts'
import { yieldToEventLoop } from '../../lib/time.ts'
import { type AuditLog, HistoryError } from '../../storage/auditLog.ts'
import type { StoredAuditEntry } from '../../storage/resources.ts'
import { type ChainHead, genesisHeadFromHashes, hashEntry, isUnchained } from './hashChain.ts'
import { iterateEntries } from './iterateEntries.ts'

/** Verifies the log of one organization. `hash` is the hash of an entry that the log is known to have contained. */
export function verifyAuditLog(log: AuditLog, organization: string, hash?: string): Promise<AuditVerification> {
  const head = log.organizations.find(({ key }) => key === organization)?.auditHead
  return verifyChain(iterateEntries(log, organization), { head, hash })
}

/** What the log must agree with apart from itself. */
export interface ChainExpectation {
  /** The head that the organization record names; absent as long as there is no chain. */
  readonly head?: ChainHead | undefined
  /** The hash of an entry that the log once contained, kept by the caller. */
  readonly hash?: string | undefined
}

/**
 * Verifies the entries of an organization, oldest first, against their hashes, against each other and against the expectation.
 * Stops at the first entry that differs from what was written.
 */
export async function verifyChain(
  entries: AsyncIterable<StoredAuditEntry>,
  { head, hash }: ChainExpectation = {}
): Promise<AuditVerification> {
  const earlier: string[] = []
  let count = 0
  let last: (ChainHead & Pick<StoredAuditEntry, '_id'>) | undefined
  let isHashMet = hash === undefined
  const position = () => (last?.position ?? 0) + 1
  const broken = (place: Omit<Broken, 'reason'>, reason: string): AuditVerification => {
    return { isIntact: false, entries: count, broken: { ...place, reason } }
  }
  try {
    for await (const entry of entries) {
      if (++count % YIELD_EVERY === 0) await yieldToEventLoop()
      if (!last && isUnchained(entry)) {
        earlier.push(hashEntry(entry))
        continue
      }
      const place = { _id: entry._id, position: position(), date: entry.createdAt }
      const wrong = wrongWith(entry, last ?? genesisHeadFromHashes(earlier), head)
      if (wrong) return broken(wrong.isGap ? { position: position() } : place, wrong.reason)
      last = { _id: entry._id, position: place.position, hash: hashEntry(entry) }
      isHashMet ||= last.hash === hash
    }
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error
    const { _id, createdAt: date, position: claimedPosition } = error.location
    const before = last ? `; the entry before it is ${last._id}` : ''
    // Claims of a damaged line count only where nothing else can confirm them: at the start of the chain.
    return broken(
      omitUndefined({ _id, date, position: last ? position() : claimedPosition }),
      `${error.message}${before}`
    )
  }
  if (head && position() <= head.position) {
    return broken({ position: position() }, `${missing(position(), head.position)} at the end of the log`)
  }
  if (!isHashMet) return broken({}, `no entry has the hash ${hash}: the log was written anew, or cut short`)
  return { isIntact: true, entries: count, ...(last ? { head: last.hash } : {}) }
}

type Broken = NonNullable<AuditVerification['broken']>

/** The number of entries to verify before yielding to the event loop. */
const YIELD_EVERY = 200

/** Returns why an entry cannot follow the one before it. A gap is not the fault of this entry. */
function wrongWith(
  entry: StoredAuditEntry,
  last: ChainHead,
  head: ChainHead | undefined
): { readonly reason: string; readonly isGap?: true } | undefined {
  const { position, previousHash, hash } = entry
  const due = last.position + 1
  if (isUnchained(entry)) return { reason: 'it has no place in the chain, and comes after entries that have' }
  if (hash === undefined || hash !== hashEntry(entry)) return { reason: 'its content is not what its hash is of' }
  if (position !== undefined && position > due) {
    return { reason: `${missing(due, position - 1)}: entry ${position} (${entry._id}) comes next`, isGap: true }
  }
  if (position !== due)
    return { reason: `it says that it is entry ${position}, and entry ${last.position} is before it` }
  if (previousHash !== last.hash) {
    const before = due === 1 ? 'the entries from before there was a chain' : `entry ${last.position}`
    return { reason: `it does not follow ${before} as that is now` }
  }
  if (due > (head?.position ?? 0)) return { reason: `it comes after the end of the log, which is ${endOf(head)}` }
  if (due === head?.position && hash !== head.hash) return { reason: 'it is not the one that the log should end with' }
  return undefined
}

function missing(from: number, to: number): string {
  return from === to ? `entry ${from} is missing` : `entries ${from} to ${to} are missing`
}

function endOf(head: ChainHead | undefined): string {
  return head ? `entry ${head.position}` : 'before its first entry'
}

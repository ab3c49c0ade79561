import { createHash } from 'node:crypto'
import stringify from 'fast-json-stable-stringify'
import type { StoredAuditEntry } from '../../storage/resources/history.ts'

/** An entry with its position in the chain. */
export type ChainedEntry = StoredAuditEntry & Required<Pick<StoredAuditEntry, ChainMember>>

/** The end of a chain: position and hash of its last entry. */
export type ChainHead = Readonly<Pick<ChainedEntry, 'position' | 'hash'>>

type ChainMember = 'position' | 'previousHash' | 'hash'

/** Links a new entry to the head of the chain. */
export function chainEntry(entry: StoredAuditEntry, head: ChainHead): ChainedEntry {
  const next = { ...entry, position: head.position + 1, previousHash: head.hash }
  return { ...next, hash: hashEntry(next) }
}

/**
 * Creates the head that the first chained entry follows: a digest of all entries that precede the chain, in order of
 * their dates.
 */
export function createGenesisHead(earlier: readonly StoredAuditEntry[]): ChainHead {
  return genesisHeadFromHashes(earlier.map(hashEntry))
}

/** Same as `createGenesisHead`, for the hashes of these entries. */
export function genesisHeadFromHashes(hashes: readonly string[]): ChainHead {
  return { position: 0, hash: sha256(hashes.join('')) }
}

/** Whether an entry was written before the chain existed. */
export function isUnchained({ position, previousHash, hash }: StoredAuditEntry): boolean {
  return position === undefined && previousHash === undefined && hash === undefined
}

/** Returns the SHA-256 of an entry without its own hash, in hexadecimal, over its canonical JSON (RFC 8785). */
export function hashEntry({ hash: _hash, ...entry }: StoredAuditEntry): string {
  return sha256(stringify(entry))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

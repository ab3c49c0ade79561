import { createHash } from 'node:crypto'
import stringify from 'fast-json-stable-stringify'
import type { StoredAuditEntry } from '../../storage/resources.ts'

/** An entry with its place in the chain. */
export type ChainedEntry = StoredAuditEntry & Required<Pick<StoredAuditEntry, ChainMember>>

/** Where a chain ends: the place and the hash of its last entry. */
export type ChainHead = Readonly<Pick<ChainedEntry, 'position' | 'hash'>>

type ChainMember = 'position' | 'previousHash' | 'hash'

/** A new entry, as the one that follows this head. */
export function chainEntry(entry: StoredAuditEntry, head: ChainHead): ChainedEntry {
  const next = { ...entry, position: head.position + 1, previousHash: head.hash }
  return { ...next, hash: hashEntry(next) }
}

/** What the first entry of a chain follows: all entries from before there was a chain, given in order of their dates. */
export function createGenesisHead(earlier: readonly StoredAuditEntry[]): ChainHead {
  return genesisHeadFromHashes(earlier.map(hashEntry))
}

/** The same, of the hashes of these entries. */
export function genesisHeadFromHashes(hashes: readonly string[]): ChainHead {
  return { position: 0, hash: sha256(hashes.join('')) }
}

/** Whether an entry is from before there was a chain. */
export function isUnchained({ position, previousHash, hash }: StoredAuditEntry): boolean {
  return position === undefined && previousHash === undefined && hash === undefined
}

/** SHA-256, in hexadecimal, of an entry without its own hash, as JSON with its members in order (RFC 8785). */
export function hashEntry({ hash: _hash, ...entry }: StoredAuditEntry): string {
  return sha256(stringify(entry))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

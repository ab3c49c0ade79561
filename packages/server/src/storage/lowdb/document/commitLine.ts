import { hash } from 'node:crypto'
import { isRecord } from '@burgee/kit'
import { type Item, isItem } from '../../tables/table.ts'

/** A line of the commit log. */
export interface StoredCommit {
  /** The number of the commit: one more than that of the previous commit. */
  readonly revision: number
  /** The length of the history after the commit, in bytes. */
  readonly historyLength: number
  /** The changes of each transaction. Items have the shape of the document's schema version. */
  readonly transactions: readonly (readonly StoredRecord[])[]
}

/** One change in a line, as `formatJournalLine` formats it. */
export type StoredRecord =
  | { readonly put: string; readonly item: Item }
  | { readonly remove: string; readonly _id: string }

/** Formats a commit; each transaction is a text of `formatJournalLine`. */
export function formatCommit(revision: number, historyLength: number, transactions: readonly string[]): string {
  const commit = `{"revision":${revision},"historyLength":${historyLength},"transactions":[${transactions.join(',')}]}`
  return `{"checksum":"${checksumOf(commit)}","commit":${commit}}`
}

/** Parses a line. @throws when it is not byte for byte as `formatCommit` wrote it. */
export function parseCommit(line: string): StoredCommit {
  const [, checksum, commit = ''] = /^\{"checksum":"([0-9a-f]{64})","commit":(.*)\}$/s.exec(line) ?? []
  if (checksum !== checksumOf(commit)) throw new Error('its checksum does not match')
  const value: unknown = JSON.parse(commit)
  if (!isCommit(value)) throw new Error('it is not a commit')
  return value
}

function checksumOf(text: string): string {
  return hash('sha256', text)
}

function isCommit(value: unknown): value is StoredCommit {
  if (!isRecord(value)) return false
  const { revision, historyLength, transactions } = value
  if (!Number.isSafeInteger(revision) || !Number.isSafeInteger(historyLength)) return false
  return Array.isArray(transactions) && transactions.every((one) => Array.isArray(one) && one.every(isStoredRecord))
}

function isStoredRecord(value: unknown): value is StoredRecord {
  if (!isRecord(value)) return false
  return typeof value.put === 'string' ? isItem(value.item) : typeof value.remove === 'string' && isItem(value)
}

import { createHash } from 'node:crypto'
import { reasonOf } from '../../../lib/reasonOf.ts'
import { isStoredEncryption, type StoredEncryption } from '../../encryption/dataKey.ts'
import { RESTORE_BACKUP, storeOpenError } from '../../storeOpenError.ts'

/** The content of `db.json`. */
export interface StoreDocument {
  /** The version of the shape of the data; see `migrate.ts`. */
  readonly schemaVersion: number
  /** The number of commits so far. */
  readonly revision: number
  /** The number of bytes of the history that are committed. */
  readonly historyLength: number
  /** Absent if secrets are stored in plain text. */
  readonly encryption?: StoredEncryption | undefined
  readonly data: unknown
}

/** Formats a document. The data are on a separate line. The checksum covers them, and the envelope. */
export function formatDocument({ schemaVersion, revision, historyLength, encryption, data }: StoreDocument): string {
  const line = JSON.stringify(data)
  const format = encryption ? ENCRYPTED_FORMAT : FORMAT
  const envelope = { format, schemaVersion, revision, historyLength, encryption }
  const head = JSON.stringify({ ...envelope, checksum: checksumOf(line, envelope) })
  return `${head.slice(0, -1)},"data":\n${line}\n}\n`
}

/** Whether a document that starts with this text has encrypted secrets. */
export function isEncryptedDocument(head: string): boolean {
  return head.startsWith(JSON.stringify({ format: ENCRYPTED_FORMAT }).slice(0, -1))
}

/** A document as it was read. */
export interface ParsedDocument extends StoreDocument {
  /** Whether its checksum was removed, which allows editing it by hand. */
  readonly isUnchecked: boolean
}

/** Parses a document; `newest` is the highest schema version that this program knows. @throws {StoreOpenError} */
export function parseDocument(path: string, bytes: Uint8Array, newest: number): ParsedDocument {
  if (bytes.length === 0) throw storeOpenError(path, 'is empty', RESTORE_BACKUP)
  const text = decode(path, bytes)
  const envelope = parse(path, text)
  const { format, schemaVersion, revision, encryption, checksum, data } = envelope
  if (format !== FORMAT && format !== ENCRYPTED_FORMAT) {
    throw storeOpenError(path, `is not a store: its format is not "${FORMAT}"`, RESTORE_BACKUP)
  }
  if (!isCount(schemaVersion) || schemaVersion === 0 || !isCount(revision)) {
    throw storeOpenError(path, 'has no valid schemaVersion and revision', RESTORE_BACKUP)
  }
  if (schemaVersion > newest) {
    const problem = `has schema version ${schemaVersion}, and this version of Burgee supports versions up to ${newest}`
    throw storeOpenError(
      path,
      problem,
      'start the newer version of Burgee that wrote it, or restore a backup from before the upgrade'
    )
  }
  // The first schema version had no history.
  const historyLength = schemaVersion === 1 ? (envelope.historyLength ?? 0) : envelope.historyLength
  if (!isCount(historyLength)) throw storeOpenError(path, 'has no valid historyLength', RESTORE_BACKUP)
  const line = text.split('\n', 2)[1] ?? ''
  const isUnchecked = checksum === undefined && schemaVersion >= FIRST_COVERED_VERSION
  if (!isUnchecked && checksum !== checksumOf(line, { format, schemaVersion, revision, historyLength, encryption })) {
    throw storeOpenError(path, 'was damaged or edited: its checksum does not match its content', RESTORE_BACKUP)
  }
  if (format === FORMAT) return { schemaVersion, revision, historyLength, data, isUnchecked }
  if (!isStoredEncryption(encryption)) throw storeOpenError(path, 'has no valid data key', RESTORE_BACKUP)
  return { schemaVersion, revision, historyLength, encryption, data, isUnchecked }
}

const FORMAT = 'burgee'
/** A separate format, so that versions without encryption do not open the store and drop its data key. */
const ENCRYPTED_FORMAT = 'burgee-encrypted'

/** The first schema version whose checksum covers the envelope. */
const FIRST_COVERED_VERSION = 7

function checksumOf(
  data: string,
  envelope: { readonly schemaVersion: number; readonly [member: string]: unknown }
): string {
  const hash = createHash('sha256')
  if (envelope.schemaVersion >= FIRST_COVERED_VERSION) hash.update(`${JSON.stringify(envelope)}\n`)
  return hash.update(data).digest('hex')
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw storeOpenError(path, 'is not UTF-8 text', RESTORE_BACKUP, cause)
  }
}

function parse(path: string, text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw storeOpenError(path, `is not valid JSON (${reasonOf(cause)})`, RESTORE_BACKUP, cause)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw storeOpenError(path, 'is not a store: it is not a JSON object', RESTORE_BACKUP)
  }
  // An object that is not an array has named members.
  return value as Record<string, unknown>
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
